import { sentences } from '../../../common/message.ts';

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
  site_not_storing: sentences(
    [
      'The site {site} answers, but its disk takes no writes: it stores no event, and can raise no alarm of ',
      'its own. What its cameras send meanwhile is refused, and only some of them send it again. Somebody ',
      'has to look at the machine: fieldline-site check and dmesg there say what the disk does.',
    ],
    [
      '站点 {site} 仍有联系，但其磁盘无法写入：不能保存事件，也不能自行发出告警。',
      '期间摄像头上报的内容会被拒收，只有部分摄像头会重发。',
      '请派人检查该设备：在站点执行 fieldline-site check 和 dmesg 可查看磁盘状况。',
    ],
  ),
  site_alarms_many: sentences(
    [
      'The site {site} tells of more than {most} alarms, or has them come and go more than {minute} times ',
      'a minute; the most severe ones stand here, and what changes more often is told later. Look at the ',
      'site: fieldline-site alarms list.',
    ],
    [
      '站点 {site} 的告警超过 {most} 条，或每分钟变化超过 {minute} 次；此处只列出最严重的，变化过快的稍后更新。',
      '请查看该站点：fieldline-site alarms list。',
    ],
  ),
  site_messages_many: sentences(
    [
      'The site {site} hands up more than {minute} notifications a minute or {hour} an hour for delivery; ',
      'the others wait there. Look whether they are its own: a stolen key of a site can do the same.',
    ],
    [
      '站点 {site} 交由总部发送的通知超过每分钟 {minute} 条或每小时 {hour} 条；其余留在站点等待。',
      '请核实这些通知是否确由该站点发出：站点密钥被盗用时也会如此。',
    ],
  ),
};
