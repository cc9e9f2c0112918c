import type { Language } from '../message.ts';
import { UsageError } from './command.ts';

const OPTION = /^--lang(?:=(.*))?$/s;

/** The language of a terminal; English where its environment says nothing of Chinese. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): Language {
  return /^zh/i.test(env.LC_ALL || env.LC_MESSAGES || env.LANG || '') ? 'zh' : 'en';
}

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
  if (at < 0) return { language: languageOf(env), rest: [...argv] };
  const within = OPTION.exec(argv[at] ?? '')?.[1];
  const asked = within ?? argv[at + 1];
  if (asked !== 'zh' && asked !== 'en') {
    throw new UsageError(languageOf(env) === 'zh' ? '--lang 只能是 zh 或 en' : '--lang is zh or en');
  }
  return { language: asked, rest: argv.toSpliced(at, within === undefined ? 2 : 1) };
}
