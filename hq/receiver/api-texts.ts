// What the API says of sites and of what they send: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';

const MS = 1_772_323_200_000;

/** What the members of request bodies mean. */
export const receiverFields: FieldTexts = {
  asked: ['Ids of notifications whose fate the site asks for', []],
  backlog: 'What waits at the site',
  features: ['What the sender understands beyond its protocol', ['evidence']],
  from: ['Position after which the batch begins', 41],
  held: ['Position that headquarters has answered, where batches before this one are on their way', 31],
  gone: ['Files that were deleted at the site', []],
  head: ['Newest position of the channel at the sender', 42],
  hold_ms: ['How long the call may be held, milliseconds', 20_000],
  items: 'What is sent, in order',
  after: ['Number of the last item that the site has stored; 0 before the first', 0],
  hub_epoch: ['Epoch of the headquarters store that gave it; empty before the first answer', ''],
  offers: ['Files of the site that headquarters has not asked for', []],
  oldest: ['Oldest position that the sender still keeps', 1],
  protocol: ['Version of the protocol that the sender speaks', 1],
  report: 'What the site tells of itself',
  states: ['What became of files that headquarters asked for', []],
  tenants: ['Tenants whose events the site may send', ['acme']],
  want_id: ['Id under which headquarters asked for the file', '5f0c2a4e'],
  mode: 'Which files the site sends by itself',
  id: ['Its id at the site', 'n-17'],
  rule_name: ['Name of the rule by which it was sent', 'night-intrusion'],
  bytes: ['Bytes that wait', 0],
  files: ['Files that wait', 0],
  event_key: ['Idempotency key of the event', 'c1-1772323200'],
  display_name: ['What people call the site, shown in place of its name', 'Tunnel 7, north'],
  'SiteGroupChange.name': ['Name of the group', 'North'],
  'NewSite.groups': [
    'What the site is looked after by, such as its region and its contract',
    ['North', 'Contract 12'],
  ],
  'SiteChange.groups': [
    'What the site is looked after by, such as its region and its contract',
    ['North', 'Contract 12'],
  ],
  'SiteGroupChange.add': ['Sites that come into the group', ['tunnel-7']],
  'SiteGroupChange.remove': ['Sites that leave the group', ['tunnel-6']],
  silent_after_minutes: ['After how many minutes without a call it is silent; 10 unless set', 30],
  away: ['Planned to be away: nobody is called for its silence', false],
  continues: ['Names of sites that are no more and that this one was', ['tunnel-6']],
  'UplinkBatch.cursor': 'Where the batch stands in its channel',
  'UplinkBatch.at': ['Time of the item at `from`, epoch milliseconds', MS],
  'UplinkBatch.to': ['Position of the last item of the batch', 42],
  'UplinkBatch.version': ['Release of the sender', '1.0.0'],
  'EvidenceStates.at': ['When, epoch milliseconds', MS],
  'EvidenceStates.version': ['Release of the sender', '1.0.0'],
  'HandedNotification.kind': 'What it tells of',
  'HandedNotifications.version': ['Release of the sender', '1.0.0'],
};

/** What the codes of errors mean. */
export const receiverErrors: ErrorTexts = {
  preview_unreadable: '预览必须是 JPEG，未存入任何内容。',
  batch_missing: '前一批数据尚未到达；请在其之后重新发送本批。',
  instance_taken: '该名称是总部自己的，请为站点换一个名称。',
  invalid_code: '代码不正确，或已过期、已用过。',
  protocol_unsupported: '总部不支持该协议版本，请升级总部。',
  site_changed: '该站点同时被修改，请重新查看。',
  site_continued: '该站点已由另一站点接续；请先解除接续。',
  site_exists: '该站点已注册；请更换其密钥，或先移除。',
  site_live: '该站点仍在注册中；如由另一站点接续，请先移除它。',
  site_unknown: '总部没有此站点，请先在总部注册。',
  too_many_groups: '站点所属分组已达上限，请先将其移出一个分组。',
  too_many_keys: '该站点的密钥已达上限，请先撤销一个。',
  uplink_full: '总部正常工作，但等待存入的数据批次已达上限，本批未存入；请稍后重新发送。',
  sender_rolled_back: '本处保存的已超过发送方的记录；请换用新的数据库标识（epoch）继续。',
};
