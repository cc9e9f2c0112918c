import { sentences } from '../../message.ts';

/** Where a file stands that is kept at the site of its event. Sizes are in bytes. */
export const farMessages = {
  evidence_at_site: sentences(
    'The file is at the site {site} and has not been asked for.',
    '文件在站点 {site}，尚未调取。',
  ),
  evidence_not_sent: sentences(
    'The file is at the site {site}, which is not asked for it: {reason}.',
    '文件在站点 {site}，不会调取：{reason}。',
  ),
  evidence_asked: sentences(
    'The site {site} is asked for the file; it brings it when its link is there.',
    '已向站点 {site} 调取文件；链路可用时上传。',
  ),
  evidence_held_up: sentences(
    'The site {site} is asked for the file, and is held up: {reason}.',
    '已向站点 {site} 调取文件，目前受阻：{reason}。',
  ),
  evidence_awaited: sentences(
    'The camera has not sent the file to the site {site} yet.',
    '摄像机尚未将文件传到站点 {site}。',
  ),
  evidence_arriving: sentences(
    'The file is on its way from the site {site}: {bytes} of {size} bytes are here.',
    '文件正从站点 {site} 传来：已收到 {bytes} / {size} 字节。',
  ),
  evidence_deleted_there: sentences(
    'The file is lost: it was deleted at the site {site} on {time}, before it had come here.',
    '文件已丢失：在上传到总部之前，已于 {time} 在站点 {site} 删除。',
  ),
  evidence_failed: sentences(
    'The file could not be brought from the site {site}: {reason}. It is asked for once more.',
    '未能从站点 {site} 取得文件：{reason}。将再次调取。',
  ),
  no_reason: sentences('no reason was given', '未说明原因'),
  site_sends_none: sentences(
    'the site sends no files to headquarters (CORE_UPLINK_EVIDENCE=none there)',
    '该站点不向总部上传文件（站点配置 CORE_UPLINK_EVIDENCE=none）',
  ),
  unknown_time: sentences('a day that is not known', '未知日期'),
};
