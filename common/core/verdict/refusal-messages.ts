import { type MessageOf, sentences } from '../../message.ts';
import type { VerdictValue } from './schema.ts';

/** Why a site did not carry out what headquarters decided on an event of it. */
export const decisionRefusalMessages = {
  decision_judged_before: sentences(
    'the site had judged {verdict} by {by}',
    '站点此前已由 {by} 研判为“{verdict}”',
  ),
  decision_event_gone: sentences('the event is not kept here', '站点已不再保存该事件'),
  decision_no_verdict: sentences('there is no verdict to correct', '该事件在站点没有可更正的研判'),
  decision_no_target: sentences(
    'the event that it was to be merged into is not kept here, or is this one',
    '站点没有要并入的事件，或要并入的就是该事件本身',
  ),
  decision_not_understood: sentences(
    'this version of the site does not understand it ({where})',
    '站点的版本不支持该决定（{where}）',
  ),
  decision_answer_not_taken: sentences(
    'the answer of the site could not be taken: {fault}',
    '总部无法接收站点的答复：{fault}',
  ),
  answer_event_unknown: sentences(
    'headquarters has no event with the key {key}',
    '总部没有键为 {key} 的事件',
  ),
  answer_of_another: sentences(
    [
      'at headquarters the event with the key {key} arose at {owner}, and only that may judge it; ',
      'if this site was {owner}, have headquarters say so: fieldline-hq site continue',
    ],
    [
      '在总部，键为 {key} 的事件产生于 {owner}，只能由它研判；',
      '如果该站点原来就是 {owner}，请在总部说明：fieldline-hq site continue',
    ],
  ),
  answer_verdict_conflict: sentences(
    'headquarters holds the verdict {verdict} by {by}; the first one stands',
    '总部已有 {by} 的研判“{verdict}”，以最先的研判为准',
  ),
  answer_correction_conflict: sentences(
    'headquarters holds a correction of another event under this id',
    '总部在此编号下已有另一事件的更正',
  ),
  answer_verdict_unknown: sentences(
    'headquarters has no verdict that this would correct',
    '总部没有可由此更正的研判',
  ),
  headquarters_itself: sentences('headquarters itself', '总部自身'),
  verdict_confirmed: sentences('confirmed', '确认'),
  verdict_false_alarm: sentences('false_alarm', '误报'),
  verdict_merged: sentences('merged', '合并'),
};

export type DecisionRefusal = MessageOf<typeof decisionRefusalMessages>;

/** A verdict that stands, as a reason names it. */
export const judgedBefore = ({ verdict, by }: { verdict: VerdictValue; by: string }): DecisionRefusal => ({
  code: 'decision_judged_before',
  params: { verdict: { code: `verdict_${verdict}`, params: {} }, by },
});
