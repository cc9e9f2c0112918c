// Pure: with which sections an object begins that a person writes by hand.
import type { KnowledgeMeta } from './queries.ts';
import { SIGN_OFF } from './sections.ts';

export type Kind = KnowledgeMeta['kind'];
/** Names of sections; their titles are words of the same names. */
export type SectionWord =
  'summary' | 'measures' | 'left' | 'cause' | 'signs' | 'items' | 'course' | 'causes' | typeof SIGN_OFF;

const REPORT: readonly SectionWord[] = ['summary', 'measures', 'left', SIGN_OFF];

export const templates: Readonly<Record<Kind, readonly SectionWord[]>> = {
  false_alarm_case: ['signs', 'cause', 'measures'],
  shift_handover: REPORT,
  checklist: ['items', SIGN_OFF],
  weekly_report: REPORT,
  monthly_report: REPORT,
  postmortem_report: ['course', 'causes', 'measures', SIGN_OFF],
};

interface Written {
  title: string;
  text?: string;
}

/** Sections as they are stored. @param names of those that came from the template, by their titles */
export function sectionsOf(
  written: readonly Written[],
  names: ReadonlyMap<string, SectionWord>,
  signed: { title: string } | null,
): Record<string, { title: string; text: string; editable: 'human' }> {
  const used = new Set<string>();
  const sections: Record<string, { title: string; text: string; editable: 'human' }> = {};
  for (const [index, { title, text = '' }] of written.entries()) {
    const known = names.get(title);
    const name = known !== undefined && !used.has(known) ? known : `section_${index + 1}`;
    used.add(name);
    sections[name] = { title, text: text.trim(), editable: 'human' };
  }
  if (signed) sections[SIGN_OFF] = { title: signed.title, text: '', editable: 'human' };
  return sections;
}
