// What the API says of looking after sites: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';

/** What the members of request bodies mean. */
export const fleetFields: FieldTexts = {
  what: ['What the site is to look at or to do', 'check'],
  'NewSiteRequest.device': ['Key of the device, for `picture` and `try`', 'gate-camera'],
  'NewSiteRequest.lines': ['Lines of the log, for `log`; 200 unless given', 200],
  'NewSiteRequest.seconds': ['How long the device is listened to, for `try`; 30 unless given', 30],
  'NewSiteRequest.language': ['In which the answer is written', 'en'],
  expires_minutes: ['It is not carried out once so many minutes are over', 60],
};

/** What the codes of errors mean. */
export const fleetErrors: ErrorTexts = {
  answer_mismatch: '内容与声明的文件不符，未存入任何内容。',
  answer_offset: '请从第 {offset} 字节继续。',
  request_over: '该请求已结束，无可撤回。',
  request_unanswered: '答复应先于其文件到达。',
  site_care_off: '站点所有者已关闭远程查看（站点设置 CORE_REMOTE_CARE=off）。',
  too_many_requests_asked: '一小时内对该站点的请求过多，请稍后再试。',
  too_many_requests_open: '该站点未答复的请求已达上限，请等待答复。',
};
