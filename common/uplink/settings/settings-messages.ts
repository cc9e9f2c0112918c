import { sentences } from '../../message.ts';

/** Why a site does not take settings of headquarters, and why it took them back. */
export const settingsMessages = {
  setting_unknown: sentences(
    '{name} cannot be set from headquarters at this site',
    '此站点不支持由总部设置 {name}',
  ),
  setting_number: sentences(
    '{name} must be a whole number from {least} to {most}',
    '{name} 必须是 {least} 到 {most} 之间的整数',
  ),
  setting_choice: sentences('{name} must be one of {choices}', '{name} 必须是以下之一：{choices}'),
  setting_reader: sentences(
    "the site's own reader of configuration refuses it: {said}",
    '站点自身的配置检查不接受：{said}',
  ),
  settings_no_contact: sentences(
    'headquarters was not reached within {minutes} minutes after the change',
    '更改后 {minutes} 分钟内未能联系上总部',
  ),
  settings_stopped: sentences(
    'the site stopped before it had reached headquarters with them',
    '站点在带着新设置联系上总部之前停止了',
  ),
  settings_start: sentences(
    'the site did not get through its first start with them',
    '站点带着新设置的第一次启动没有完成',
  ),
  settings_unreadable: sentences(
    'this version of the site does not take them any more: {said}',
    '站点的现有版本不再接受这些设置：{said}',
  ),
};
