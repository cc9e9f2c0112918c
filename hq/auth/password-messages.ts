import { sentences } from '../../common/message.ts';

/** Why a password is not taken. Each follows the name of a field. */
export const passwordMessages = {
  password_short: sentences('must have at least {least} characters', '至少 {least} 个字符'),
  password_guessable: sentences(
    [
      'is too easy to guess: it is made of a common password, a name, a date, a sequence or repetitions; ',
      'several unrelated words will do',
    ],
    '容易被猜到：由常用密码、名称、日期、连续或重复的字符组成；可用几个不相关的词',
  ),
};
