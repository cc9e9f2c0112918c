import { sentences } from '../message.ts';

export const passwordMessages = {
  again: sentences('Once more: ', '再次输入：'),
  noTerminal: sentences(
    'there is no terminal to ask for the password; give --password-stdin and pipe it in',
    '没有终端可以输入密码；请加 --password-stdin 并从管道输入',
  ),
  differ: sentences('the two passwords differ; nothing was changed', '两次输入不一致，没有更改'),
  brokenOff: sentences('cancelled; nothing was changed', '已中断，没有更改'),
};
