import { faultsOf } from '../../http/fault/room.ts';
import { sentences } from '../../message.ts';

/** What is wrong with events and rules that are tried. Each is read after the path of the member. */
export const ruleSetFaultMessages = {
  event_or_id: sentences('or event_id must be given, and not both', '与 event_id 必须给出其一，且只能一个'),
  tenant_of_rules: sentences('must be that of the rules', '必须是规则所属的租户'),
  zoned_event_time: sentences(
    'or occurred_at must be a time with a zone: the clock of the rehearsal is that of the events',
    '或 occurred_at 必须是带时区的时间：演练以事件的时间为准',
  ),
  not_json: sentences('is not JSON: {reason}', '不是有效的 JSON：{reason}'),
};

export const { fault, faultAt, saidOf } = faultsOf(ruleSetFaultMessages);
