// What the codes of errors mean, for whoever reads Chinese. The English message of an error often names more;
// what it names beside these words stands in the other members of the answer.

import { fill } from '../../message.ts';

interface Particulars {
  retryAfterSeconds?: number | undefined;
  extra?: Readonly<Record<string, unknown>> | undefined;
}

/** By code; `{…}` is a member of the answer, or the seconds after which to try again. */
export type ErrorTexts = Readonly<Record<string, string>>;

/** Of what every program may answer; those of rooms of one program are handed in to its `createHttpApp`. */
export const COMMON_ERRORS: ErrorTexts = {
  already_answered: '该决定此前已得到答复。',
  bad_encoding: '请求体的压缩编码无效。',
  bad_signature: '密钥未知，或签名与请求不符。',
  secret_unreadable: '本机读不出该密钥，无法核对签名，请稍后重新发送。',
  body_incomplete: '请求体中途断开，未存入任何内容。',
  body_too_large: '请求体过大，请分次发送。',
  channel_exists: '该租户已有同名通道；请修改现有通道，或换一个名称。',
  clock_skew: '时间戳与本服务器的时间相差过大；请按 serverTime 校准时钟。',
  csrf: '登录会话中的修改请求缺少 X-Requested-With: fieldline 头。',
  cursor_ahead: '游标超出本数据库的最新位置；请只使用本数据库给出的游标。',
  cursor_epoch_changed: '数据库已恢复或重建，原游标作废；请重新读取订阅的游标。',
  cursor_expired: '该游标之前的事件已不再保存；请从最早的事件继续。',
  every_member: '这样该事件组将没有成员。',
  evidence_damaged: '该文件曾经收到，但本服务器磁盘上的内容已损坏，不再提供。',
  evidence_limit: '证据文件将超出容量上限，未存入任何内容；请稍后再发送。',
  evidence_mismatch: '内容与声明的文件不符，未存入任何内容。',
  evidence_missing: '该文件曾经收到，但已不在本服务器的磁盘上。',
  evidence_offset: '请从第 {offset} 字节继续。',
  evidence_unavailable: '证据目录暂时不可用，请稍后再试。',
  forbidden: '没有权限执行此操作。',
  group_changed: '您查看之后已有人更改该组，请查看现状后再操作。',
  group_of_site: '这些事件组由不同的站点或总部保管，事件各自保存，不能合并为一组。',
  group_ordered: '已有一条指令等待站点执行，请待其结果后再操作。',
  incident_closed: '该组已被合并，不能再修改；请在合并到的组上操作，或撤销合并。',
  internal: '服务内部出错；日志中以此请求编号记有详情。',
  invalid_credentials: '用户名或密码不正确。',
  key_exists: '该密钥名称已被占用（可能是已撤销的密钥），请换一个。',
  malformed_form: '请求体不是此处接受的表单。',
  malformed_json: '请求体不是有效的 JSON。',
  members_gone: '该组原来的成员此后已被清除或拆出，不能恢复原样。',
  method_not_allowed: '该路径不支持此方法，见 /openapi.json。',
  no_small_picture: '该文件没有缩略图，请查看原文件。',
  no_verdict: '该事件尚无研判可更正，请直接研判。',
  non_disposal: '只有处置和整改任务会下发现场。',
  not_found: '所指的对象不存在，或不属于您。',
  not_implemented: '此处不支持该方法。',
  not_merged: '该组没有被合并，只有被合并的组才能恢复。',
  not_ready: '数据库现在不能写入，原因见日志。',
  nothing_to_confirm: '没有被拦下的删除需要确认。',
  answer_not_kept:
    '使用该 Idempotency-Key 的首次请求已执行；其应答含密钥，未保存。请查看已创建的内容，密钥丢失时请更换。',
  request_under_way: '使用该 Idempotency-Key 的首次请求正在执行，请稍后原样重发。',
  retry_outcome_unknown:
    '使用该 Idempotency-Key 的首次请求结果未知。请先核实是否已执行；如未执行，请换用新的键重发。',
  idempotency_key_reused: '该 Idempotency-Key 已用于另一请求，请为每个请求使用新的键。',
  too_many_retry_keys: '24 小时内使用的 Idempotency-Key 过多。',
  too_many_waits: '该消费者等待中的请求过多，请读完或结束先前的请求。',
  overloaded: '同时的请求过多，请稍后再试。',
  query_timeout: '查询超时，已放弃；请减少行数。',
  request_timeout: '请求没有在时限内发完，请重新发送。',
  rules_unreachable: '无法连上总部，或总部拒绝；处置代理继续使用现有规则。',
  site_outdated: '该任务或事件组由站点保管，其版本不支持总部的指令；请升级站点，或在站点操作。',
  small_pictures_unavailable: '暂时不能生成缩略图，请查看原文件，或稍后再试。',
  stats_timeout: '统计超过 15 秒，已停止；请缩短时段。',
  storage_full: '磁盘已满，未存入任何内容；请稍后重新发送同一请求。',
  store_busy: '数据库忙，请稍后再试。',
  store_closed: '服务正在停止，请重新发送请求。',
  store_damaged: '有一部分数据已损坏，无法读取，其余照常；请查看告警，恢复备份或修复后再试。',
  store_failed: '磁盘没有确认写入，服务正在停止；请重新发送请求。',
  store_timeout: '数据库没有在时限内完成，请稍后再试。',
  store_unavailable: '数据库没有应答，请稍后再试。',
  subscription_disabled: '该订阅已停用，请先启用。',
  tenant_mismatch: '租户与所指的对象不符，请核对。',
  too_many_attempts: '失败次数过多，请在 {seconds} 秒后再试。',
  too_many_calls: '调用过于频繁，请在 {seconds} 秒后继续。',
  too_many_edge_notes: '该任务的现场留言已达上限，请改为记录步骤。',
  too_many_steps: '该任务的步骤已达上限，请在另一任务上继续记录。',
  transition_refused: '任务现在的状态不能这样变更，请重新查看任务。',
  unauthorized: '未登录，或登录已结束；请重新登录。',
  unreadable: '消息无法解析，未存入任何内容。',
  unsupported_encoding: '请求体请不压缩，或用 gzip、zstd 压缩。',
  unsupported_media_type: '请求体的类型不受支持，见 /openapi.json。',
  unavailable: '暂时不可用，请稍后再试。',
  validation_failed: '请求无效。',
  write_contention: '同时有其他写入，请原样重新发送请求。',
};

/** @returns null where the code has no text, or one that names what this error does not have */
export function inChinese(
  texts: ErrorTexts,
  code: string,
  { retryAfterSeconds, extra }: Particulars,
): string | null {
  if (!Object.hasOwn(texts, code)) return null;
  const particulars: Record<string, unknown> = { seconds: retryAfterSeconds, ...extra };
  return fill(texts[code] ?? '', (name) => {
    const value = particulars[name];
    return typeof value === 'number' || typeof value === 'string' ? String(value) : null;
  });
}
