// Whoever reads Chinese reads no English sentence: only names, codes, units and commands stand in Latin
// letters.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { eventInput } from '../../common/core/event/schema.ts';
import { registerInput } from '../../common/core/rule/schema.ts';
import { verdictInput } from '../../common/core/verdict/schema.ts';
import { AppError, badRequest, conflict, notFound } from '../../common/http/error.ts';
import { COMMON_ERRORS } from '../../common/http/fault/error-texts.ts';
import { type Fault, faultAt } from '../../common/http/fault/fault.ts';
import { CORE_FIELDS } from '../../common/http/openapi/field-texts.ts';
import type { Schema } from '../../common/http/route.ts';
import { validate } from '../../common/http/validate.ts';
import { describeHub } from '../../hq/compose/description.ts';
import { HUB_ERRORS, HUB_FIELDS } from '../../hq/compose/texts.ts';
import { sourceInput } from '../../hq/dataset/schema.ts';
import { deviceFields } from '../../site/intake/api-texts.ts';
import { libraryErrors } from '../../site/policy/api-texts.ts';
import { uplinkErrors, uplinkFields } from '../../site/uplink/api-texts.ts';
import { listFiles } from '../support/sources.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Three words in a row are a sentence, with commas a list; what follows a program's name is a command. */
function english(text: string): string | null {
  const without = text
    .replace(/(?:fieldline-(?:site|hq)|apt install)(?: [\w.{}-]+)*/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/(?:GET|POST|PUT|PATCH|DELETE) \/\S*/g, '');
  return /[A-Za-z]{2,}(?: [A-Za-z]+){2,}/.exec(without)?.[0] ?? null;
}

const modules = async (folders: string[], name: RegExp): Promise<[string, Record<string, unknown>][]> =>
  Promise.all(
    folders
      .flatMap((folder) =>
        readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
          path.join(folder, file),
        ),
      )
      .filter((file) => name.test(file))
      .map(async (file): Promise<[string, Record<string, unknown>]> => [
        file,
        (await import(path.join(ROOT, file))) as Record<string, unknown>,
      ]),
  );

/** Every text under a member `zh`, however deep, and what functions make of numbers and names. */
function chineseIn(value: unknown, within = false): string[] {
  if (typeof value === 'string') return within ? [value] : [];
  if (typeof value === 'function') {
    if (!within) return [];
    // Some take objects; what they would say of those is seen where they are used.
    try {
      const made: unknown = (value as (...given: unknown[]) => unknown)(
        ...Array.from({ length: 6 }, () => '3'),
      );
      return chineseIn(made, true);
    } catch {
      return [];
    }
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => chineseIn(member, within || name === 'zh'));
}

test('no Chinese text of a catalogue has an English sentence in it', async () => {
  const found = await modules(['common', 'hq', 'site'], /-messages\.ts$|\bwords\.ts$/);
  expect(found.length).toBeGreaterThan(60);
  const texts = found.flatMap(([file, made]) => chineseIn(made).map((text) => [file, text] as const));
  expect(texts.length).toBeGreaterThan(1_500);
  expect(texts.filter(([, text]) => english(text) !== null)).toEqual([]);
});

test('an English sentence among the Chinese would be found', () => {
  expect(english('接收方的应答：the receiver answered 500')).toBe('the receiver answered');
  expect(english('请用 fieldline-hq site continue gate --before door')).toBeNull();
  expect(english('用 GET /api/core/uplink/conflicts 查看 webhook 的 URL')).toBeNull();
});

test('no code of a fault stands in two of the catalogues of rooms', async () => {
  const found = await modules(['common', 'hq', 'site'], /fault-messages\.ts$/);
  // Those of the uplink are of another kind: parts of sentences, and none of a request.
  const codes = found.flatMap(([file, made]) =>
    file === 'common/uplink/fault-messages.ts'
      ? []
      : Object.entries(made).flatMap(([name, one]) =>
          name.endsWith('FaultMessages') ? Object.keys(one as object) : [],
        ),
  );
  expect(codes.length).toBeGreaterThan(150);
  expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([]);
});

function refusal(schema: Schema, value: unknown): { messageZh?: string; details: Fault[] } {
  try {
    validate(schema, value);
  } catch (error) {
    if (error instanceof AppError) return error.toBody() as { messageZh?: string; details: Fault[] };
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('what a schema refuses is told in both languages, under a code', () => {
  test.each<[string, Schema, unknown, string, string, string]>([
    ['missing', verdictInput, {}, 'verdict', 'required', '必填'],
    ['type', verdictInput, { verdict: 'confirmed', by: 7 }, 'by', 'wrong_type_of', '必须是文本，而不是数字'],
    [
      'choice',
      verdictInput,
      { verdict: 'maybe' },
      'verdict',
      'one_of',
      '必须是下列之一：confirmed, false_alarm, merged',
    ],
    ['member', z.strictObject({}), { a: 1 }, 'a', 'unknown_member', '此处不认识，请检查拼写'],
    [
      'own word',
      eventInput,
      { idempotency_key: 'k', type: 'X' },
      'type',
      'event_type',
      '必须是用点分隔的代码，只含小写字母、数字和“_”，例如 vehicle.intrusion',
    ],
    [
      'word of the input',
      z.object({ at: eventInput.shape.occurred_at }),
      { at: '2026-03-01T08:00:00 08:00' },
      'at',
      'zoned_time_plus',
      '必须是带时区的 RFC 3339 时间，例如 2026-03-01T08:00:00+08:00；在查询参数中 + 要写作 %2B',
    ],
    [
      'two types',
      z.object({ m: z.union([z.string(), z.int()]) }),
      { m: true },
      'm',
      'either',
      '必须是文本，而不是true 或 false（是或否），或者必须是整数，而不是true 或 false（是或否）',
    ],
    [
      'long list',
      z.object({ m: z.array(z.int()).check(z.maxLength(1)) }),
      { m: [1, 2] },
      'm',
      'many_entries',
      '最多 1 项，现有 2 项',
    ],
    [
      'body of a rule',
      registerInput,
      { tenant_code: 'a', name: 'x', kind: 'threshold', body: { judge_min_conf: 2 } },
      'body.judge_min_conf',
      'at_most',
      '不能大于 1',
    ],
    [
      'schedule',
      sourceInput,
      { schedule: '99 * * * *' },
      'schedule',
      'cron',
      '不是有效的 cron 表达式（例如 0 2 * * *）；无法理解：minute 99',
    ],
  ])('%s', (_, schema, value, at, code, messageZh) => {
    const { details } = refusal(schema, value);
    expect(details.find((one) => one.path === at)).toMatchObject({ path: at, code, messageZh });
  });

  test('every fault of events, rules and verdicts, whatever is sent', () => {
    const wrong = [null, '', 0, -1, 1.5, 'x'.repeat(10_000), true, [], {}, [1], { a: 1 }, ' ', '\u0000'];
    let seen = 0;
    for (const schema of [eventInput, verdictInput, registerInput, sourceInput])
      for (const name of Object.keys(schema.shape))
        for (const value of wrong)
          for (const fault of refusal(z.object({ m: schema, n: z.never() }), { m: { [name]: value } })
            .details) {
            if (fault.path === 'n') continue;
            seen += 1;
            expect([name, value, fault.code]).not.toContain(undefined);
            expect([fault.messageZh, english(fault.messageZh ?? 'is not there at all')]).toEqual([
              fault.messageZh,
              null,
            ]);
          }
    expect(seen).toBeGreaterThan(1_000);
  });
});

test('an error says in Chinese what its code means, with the faults that it names', () => {
  const many = ['a', 'b', 'c', 'd'].map((name) => faultAt(name, 'required'));
  expect(badRequest(many).toBody()).toMatchObject({
    messageZh: '请求无效：a 必填；b 必填；c 必填；其余 1 处见 details。',
  });
  expect(notFound('Channel 7').toBody()).toMatchObject({ messageZh: '所指的对象不存在，或不属于您。' });
  expect(conflict('of_tomorrow', 'What nobody knows yet.').toBody()).not.toHaveProperty('messageZh');
  const stale = new AppError(409, 'stale_version', 'It is at version 4.', { extra: { version: 4 } });
  expect(stale.toBody(HUB_ERRORS)).toMatchObject({
    messageZh: expect.stringMatching(/现为第 4 版/) as string,
  });
  expect(stale.toBody()).not.toHaveProperty('messageZh');
});

test('what a program says to callers beside common/ hides nothing that common/ says', () => {
  const twice = (own: object, shared: object): string[] =>
    Object.keys(own).filter((name) => Object.hasOwn(shared, name));
  for (const fields of [HUB_FIELDS, deviceFields, uplinkFields])
    expect(twice(fields, CORE_FIELDS)).toEqual([]);
  for (const errors of [HUB_ERRORS, uplinkErrors, libraryErrors])
    expect(twice(errors, COMMON_ERRORS)).toEqual([]);
});

type Responses = Record<string, { description?: string }>;

test('every code that a route of headquarters names has a Chinese text', async () => {
  const described = (await describeHub()) as {
    paths: Record<string, Record<string, { responses: Responses }>>;
  };
  const paths = Object.values(described.paths);
  const codes = new Set(
    paths.flatMap((methods) =>
      Object.values(methods).flatMap(({ responses }) =>
        Object.entries(responses).flatMap(([status, { description }]) =>
          Number(status) >= 400 ? (description ?? '').split(', ').filter(Boolean) : [],
        ),
      ),
    ),
  );
  const without = [...codes].filter((code) => {
    const { messageZh } = new AppError(500, code, '', {
      retryAfterSeconds: 1,
      extra: { version: 1, offset: 1, missing: 1, stored: 1, state: 'x', missingNumbers: '3' },
    }).toBody({ ...COMMON_ERRORS, ...HUB_ERRORS });
    return typeof messageZh !== 'string' || english(messageZh) !== null;
  });
  expect(codes.size).toBeGreaterThan(40);
  expect(without).toEqual([]);
});

/** Where programs say errors; the console only reads them. */
const SAYING = listFiles().filter(
  (file) => /^(?:common|hq|site)\/.*\.ts$/.test(file) && !file.startsWith('hq/console/'),
);
const TABLES = /api-texts\.ts$|error-texts\.ts$/;
/** An error by its code: with its status, or as a conflict. */
const SAID = /(?:new AppError\(\s*\d+,\s*|\bconflict\(\s*)'(\w+)'/g;

test('every error that is said in English has its Chinese, and no Chinese is left of one that is gone', () => {
  const texts = { ...COMMON_ERRORS, ...HUB_ERRORS, ...uplinkErrors, ...libraryErrors };
  const sources = SAYING.filter((file) => !TABLES.test(file)).map((file) =>
    readFileSync(path.join(ROOT, file), 'utf8'),
  );
  const said = new Set(sources.flatMap((text) => [...text.matchAll(SAID)].map(([, code = '']) => code)));
  expect(said.size).toBeGreaterThan(90);
  expect([...said].filter((code) => !Object.hasOwn(texts, code))).toEqual([]);
  // Some are made of their beginning and the name of a fault.
  const begun = sources.flatMap((text) => [...text.matchAll(/`(\w+_)\$\{/g)].map(([, begin = '']) => begin));
  const left = Object.keys(texts).filter(
    (code) =>
      !sources.some((text) => text.includes(`'${code}'`)) && !begun.some((begin) => code.startsWith(begin)),
  );
  expect(left).toEqual([]);
});
