import { sentences } from '../../common/message.ts';

/** Alarms about what sites bring. */
export const itemAlarmMessages = {
  uplink_gap: sentences(
    'The site {site} no longer keeps its {channel} {from} to {to}, which never arrived here; they are lost.',
    '站点 {site} 已不再保存{channel} {from} 至 {to}，而这些从未到达总部，已丢失。',
  ),
  uplink_items_failed: sentences(
    [
      '{count} of what the site {site} sent ({what}) could not be stored here, the rest of it was; ',
      'the last reason: {reason}. The site has parked them and lists them; once the cause is mended, ',
      'replay them there (fieldline-site parked replay).',
    ],
    [
      '站点 {site} 上传的{what}中有 {count} 条未能写入本总部，其余已写入；最后一条的原因：{reason}。',
      '站点已搁置并列出这些条目；排除原因后请在站点重发（fieldline-site parked replay）。',
    ],
  ),
};
