// How much of a secret that a person chose is left for somebody to guess. Pure.

/**
 * Passwords, and parts of them, that stand at the top of every published list of leaked ones, English and
 * Chinese; longer ones first where one begins with another.
 */
const COMMON = [
  'administrator',
  'password',
  'passwort',
  'passw0rd',
  'superman',
  'starwars',
  'football',
  'baseball',
  'princess',
  'sunshine',
  'trustno1',
  'whatever',
  'computer',
  'internet',
  'michelle',
  'jennifer',
  'liverpool',
  'changeme',
  'welcome',
  'letmein',
  'iloveyou',
  'monkey',
  'dragon',
  'master',
  'shadow',
  'batman',
  'secret',
  'default',
  'michael',
  'charlie',
  'freedom',
  'qazwsx',
  'hello',
  'login',
  'admin',
  'guest',
  'root',
  'test',
  'user',
  'manager',
  'operator',
  'security',
  'system',
  'server',
  'camera',
  'service',
  'company',
  'summer',
  'winter',
  'spring',
  'autumn',
  'monday',
  'friday',
  'january',
  'december',
  'fieldline',
  'woaini',
  'wodemima',
  'mima',
  'nihao',
  'woshishui',
  'caonima',
  'zhongguo',
  'beijing',
  'shanghai',
  'anquan',
  'gongdi',
  'gongsi',
  '5201314',
  '1314520',
  '147258369',
  '789456123',
  '1314',
  '520',
  '我爱你',
  '密码',
  '管理员',
  '你好',
  '中国',
] as const;

/** Neighbours on keyboards, each read both ways. */
const ROWS = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '!@#$%^&*()',
] as const;
const ROWS_BOTH_WAYS = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);

/** Characters in a row that make a sequence, and of one character that make a repetition. */
const SEQUENCE = 4;
const REPETITION = 3;

const LOOKALIKES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '0': 'o',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  $: 's',
  '5': 's',
  '7': 't',
};
const plain = (text: string): string => text.replace(/[@4031!$57]/g, (one) => LOOKALIKES[one] ?? one);

/**
 * The characters of a secret when each part that can be guessed counts as one: a common password, a date, a
 * keyboard row, a sequence, a character or a stretch that repeats itself, and `names`, which whoever guesses
 * knows.
 */
export function guessableLength(secret: string, names: readonly string[]): number {
  const text = secret.normalize('NFKC').toLowerCase();
  const unit = /^(.+?)\1+$/su.exec(text)?.[1];
  const known = [
    ...names.map((name) => name.normalize('NFKC').toLowerCase()).filter((name) => name.length >= 3),
    ...COMMON,
  ];
  return unit === undefined
    ? lengthOf(text, known)
    : Math.min(lengthOf(unit, known) + 1, lengthOf(text, known));
}

function lengthOf(text: string, known: readonly string[]): number {
  let length = 0;
  for (let at = 0; at < text.length; length += 1)
    at += Math.max(
      wordAt(text, at, known),
      dateAt(text, at),
      rowAt(text, at),
      runAt(text, at),
      characterAt(text, at),
    );
  return length;
}

/** Code units that the character takes. */
const characterAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

function wordAt(text: string, at: number, known: readonly string[]): number {
  const rest = text.slice(at, at + 64);
  const read = plain(rest);
  return Math.max(
    0,
    ...known.map((word) => (rest.startsWith(word) || read.startsWith(word) ? word.length : 0)),
  );
}

/** A year of living people, or a whole day, with or without separators. */
const dateAt = (text: string, at: number): number =>
  /^(?:(?:19|20)\d\d[-./]?(?:0?[1-9]|1[0-2])[-./]?(?:0[1-9]|[12]\d|3[01])|(?:19|20)\d\d)/.exec(
    text.slice(at, at + 10),
  )?.[0].length ?? 0;

function rowAt(text: string, at: number): number {
  let longest = 0;
  for (const row of ROWS_BOTH_WAYS) {
    const from = row.indexOf(text[at] ?? '\0');
    if (from < 0) continue;
    let length = 1;
    while (from + length < row.length && text[at + length] === row[from + length]) length += 1;
    longest = Math.max(longest, length);
  }
  return longest >= SEQUENCE ? longest : 0;
}

/** A character again and again, or characters that go up or down by one; after 9 comes 0. */
function runAt(text: string, at: number): number {
  const step = stepAt(text, at);
  if (step !== 0 && step !== 1 && step !== -1) return 0;
  let length = 2;
  while (stepAt(text, at + length - 1) === step) length += 1;
  return length >= (step === 0 ? REPETITION : SEQUENCE) ? length : 0;
}

function stepAt(text: string, at: number): number | null {
  if (at + 1 >= text.length) return null;
  const step = text.charCodeAt(at + 1) - text.charCodeAt(at);
  if (text[at] === '9' && text[at + 1] === '0') return 1;
  return text[at] === '0' && text[at + 1] === '9' ? -1 : step;
}
