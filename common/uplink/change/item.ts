/**
 * One item of the log of a site: everything that changes there but the coming of events (DESIGN.md, "One log
 * up"). Verdicts, corrections and refused decisions go each by itself; of all else the newest state goes, so
 * that sending it again does no harm. A new kind is a form beside this file and a line here, a line with its
 * reader at the site (site/store/adapter/uplink/change-state.ts), and one with its writer at headquarters
 * (hq/receiver/store/change-kinds.ts).
 */
import * as z from 'zod/mini';
import { itemReader, type Read } from '../item.ts';
import { feedbackItem } from './feedback.ts';
import { type GroupItem, groupItem } from './group.ts';
import { judgementItem } from './judgement.ts';
import { libraryState } from './library.ts';
import { orderItem } from './order.ts';
import { requestAnswer } from './request.ts';
import { settingsState } from './settings.ts';
import { type TaskItem, taskItem } from './task.ts';
import { upgradeState } from './upgrade.ts';

const changeItem = z.discriminatedUnion('kind', [
  judgementItem,
  taskItem,
  groupItem,
  orderItem,
  feedbackItem,
  libraryState,
  settingsState,
  requestAnswer,
  upgradeState,
]);
export type ChangeItem = z.infer<typeof changeItem>;
export type ChangeKind = ChangeItem['kind'];

/** Kinds of which every entry goes up, in the order in which they were written. */
export const judgementKinds = ['verdict', 'correction', 'decision_refused'] as const;
export type JudgementKind = (typeof judgementKinds)[number];
const JUDGEMENTS: ReadonlySet<string> = new Set(judgementKinds);
export const isJudgement = (kind: string): kind is JudgementKind => JUDGEMENTS.has(kind);

/** What headquarters keeps a row of its own of. */
export type SubjectItem = TaskItem | GroupItem;
export type SubjectKind = SubjectItem['kind'];

/** Reads an item. Members it does not know are left out; what breaks a bound refuses the item. */
export const parseChangeItem: (value: unknown) => Read<ChangeItem> = itemReader(changeItem);
