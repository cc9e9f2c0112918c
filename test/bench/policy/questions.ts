// 1,000 clauses of 25 regulations and the questions about them, made the same at each run.
import { english } from './regulations-en.ts';
import { chinese, type Regulation } from './regulations-zh.ts';

export interface Clause {
  /** Key of the regulation. */
  regulation: string;
  clausePath: string;
  page: number;
  text: string;
}

export interface Question {
  text: string;
  /** Position in `clauses` of the one that answers it. */
  answer: number;
}

const ASPECTS = 5;
const HEADS_ZH = ['应符合下列要求', '的检查', '的禁止事项', '的应急处置', '的记录'];
const HEADS_EN = ['Requirements', 'Inspection', 'Prohibitions', 'Emergency', 'Records'];
const DIGITS = '零一二三四五六七八九';

/** 1 to 99 as it is written before 条. */
export function chineseNumber(number: number): string {
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  const before = tens === 0 ? '' : `${tens === 1 ? '' : DIGITS[tens]}十`;
  return before + (ones === 0 && tens > 0 ? '' : DIGITS[ones]);
}

/**
 * One subject's clauses are one article each; half of the regulations number in Chinese, the others in
 * figures.
 */
function clausesOf(regulation: Regulation, index: number, zh: boolean): Clause[] {
  return regulation.subjects.flatMap((subject, chapter) =>
    Array.from({ length: ASPECTS }, (_, aspect) => {
      const article = chapter * ASPECTS + aspect + 1;
      const said = subject[aspect + 1] as string;
      const clausePath = !zh
        ? `${chapter + 1}.${aspect + 1}`
        : index % 2 === 0
          ? `第${chineseNumber(chapter + 1)}章/第${chineseNumber(article)}条`
          : `${chapter + 1}.${aspect + 1}`;
      const text = zh
        ? `${subject[0]}${HEADS_ZH[aspect]}:${said}。`
        : `${subject[0]}. ${HEADS_EN[aspect]}. ${said}`;
      return { regulation: regulation.key, clausePath, page: 1 + Math.floor(article / 6), text };
    }),
  );
}

const all: readonly { regulation: Regulation; zh: boolean }[] = [
  ...chinese.map((regulation) => ({ regulation, zh: true })),
  ...english.map((regulation) => ({ regulation, zh: false })),
];

export const regulations: readonly Regulation[] = all.map(({ regulation }) => regulation);
export const clauses: readonly Clause[] = all.flatMap(({ regulation, zh }, index) =>
  clausesOf(regulation, index, zh),
);

/**
 * One question a subject, in other words than the clause has, and one a regulation that names the subject and
 * the matter.
 */
export const questions: readonly Question[] = all.flatMap(({ regulation, zh }, index) => {
  const first = all
    .slice(0, index)
    .reduce((sum, { regulation: { subjects } }) => sum + subjects.length * ASPECTS, 0);
  const asked = regulation.subjects.map((subject, chapter) => ({
    text: subject[6],
    answer: first + chapter * ASPECTS + subject[7],
  }));
  const chapter = index % regulation.subjects.length;
  const aspect = (index * 2) % ASPECTS;
  const name = regulation.subjects[chapter]?.[0] ?? '';
  const named = zh
    ? `${name}${['有什么要求', '由谁、多久检查', '禁止做什么', '出了险情怎么处置', '怎样留记录'][aspect]}`
    : `${name}: ` +
      `${['what is required', 'how is it inspected', 'what is prohibited', 'what to do in an emergency', 'which records are kept'][aspect]}`;
  return [...asked, { text: named, answer: first + chapter * ASPECTS + aspect }];
});
