import { UsageError } from '../../common/terminal/command.ts';
import { languageOf } from './status-screen.ts';
import type { Language } from '../../common/message.ts';

const OPTION = /^--lang(?:=(.*))?$/s;

/**
 * The language of a command, by its option `--lang` or the terminal, and its words without that option.
 * @throws UsageError for another language
 */
export function takeLanguage(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): { language: Language; rest: string[] } {
  const end = argv.indexOf('--');
  const at = argv.slice(0, end < 0 ? argv.length : end).findIndex((word) => OPTION.test(word));
  if (at < 0) return { language: languageOf(undefined, env), rest: [...argv] };
  const within = OPTION.exec(argv[at] ?? '')?.[1];
  const asked = within ?? argv[at + 1];
  if (asked !== 'zh' && asked !== 'en') throw new UsageError('--lang is zh or en');
  return { language: asked, rest: argv.toSpliced(at, within === undefined ? 2 : 1) };
}
