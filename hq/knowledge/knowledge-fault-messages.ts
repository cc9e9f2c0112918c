import { faultsOf } from '../../common/http/fault/room.ts';
import { sentences } from '../../common/message.ts';

/** What is wrong with a knowledge object. Each is read after the path of the member. */
export const knowledgeFaultMessages = {
  json_bounds: sentences(
    'must be at most {most} bytes as JSON and {levels} levels deep',
    '以 JSON 计最多 {most} 字节，嵌套最多 {levels} 层',
  ),
  section_needed: sentences('must name at least one section', '至少要写一节'),
  section_not_editable: sentences('is not for people to revise', '不允许人工修改'),
  section_missing: sentences('does not exist', '不存在'),
  ref_pair: sentences(
    'must be given too: ref_key and ref_value go together',
    '也必须给出：ref_key 与 ref_value 须同时给出',
  ),
};

export const { faultAt, saidOf, saying } = faultsOf(knowledgeFaultMessages);
