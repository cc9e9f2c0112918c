// npm run test:receivers: runs the receivers of the page on integration in JavaScript, Python and Java
// against the published vectors. Needs python3 and java (17 or later) on the machine, which `npm test` does
// not; ends with 1 when one is missing or verifies wrongly.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WEBHOOK_VECTORS } from '../../hq/integration/signature-vectors.ts';

interface Case {
  secret: string;
  body: string;
  header: string;
  verified: boolean;
}

const CASES: Case[] = WEBHOOK_VECTORS.flatMap(({ secret, body, service }) => [
  { secret, body, header: service, verified: true },
  ...['', 'sha256=', `${service}0`, service.toUpperCase(), 'sha256=签名'].map((header) => ({
    secret,
    body,
    header,
    verified: false,
  })),
  { secret, body: `${body} `, header: service, verified: false },
  { secret: `${secret}x`, body, header: service, verified: false },
]);

/**
 * Each program reads lines of secret, body and header in hexadecimal, and writes `true` or `false` for each.
 */
const LANGUAGES: {
  name: string;
  block: string;
  file: string;
  program: (receiver: string) => string;
  run: string[];
}[] = [
  {
    name: 'JavaScript',
    block: 'js',
    file: 'receiver.mjs',
    run: [process.execPath, 'receiver.mjs'],
    program: (receiver) => `${receiver}
import { readFileSync } from 'node:fs';
for (const line of readFileSync(0, 'utf8').trim().split('\\n')) {
  const [secret, body, header] = line.split(',').map((hex) => Buffer.from(hex, 'hex'));
  console.log(verify(secret.toString(), body, header.toString()));
}`,
  },
  {
    name: 'Python',
    block: 'python',
    file: 'receiver.py',
    run: ['python3', 'receiver.py'],
    program: (receiver) => `${receiver}
import sys
for line in sys.stdin.read().split():
    secret, body, header = (bytes.fromhex(part) for part in line.split(","))
    print(str(verify(secret.decode(), body, header.decode())).lower())
`,
  },
  {
    name: 'Java',
    block: 'java',
    file: 'Receiver.java',
    run: ['java', 'Receiver.java'],
    program: (receiver) => `public class Receiver {
${receiver}
  public static void main(String[] given) throws Exception {
    var hex = java.util.HexFormat.of();
    for (String line : new String(System.in.readAllBytes()).trim().split("\\n")) {
      String[] parts = line.split(",", -1);
      var utf8 = java.nio.charset.StandardCharsets.UTF_8;
      System.out.println(verify(new String(hex.parseHex(parts[0]), utf8), hex.parseHex(parts[1]), new String(hex.parseHex(parts[2]), utf8)));
    }
  }
}`,
  },
];

const hex = (text: string): string => Buffer.from(text).toString('hex');
const page = readFileSync(path.resolve(import.meta.dirname, '../../hq/integration/README.md'), 'utf8');
const dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-receivers-'));
const input = CASES.map(({ secret, body, header }) => [secret, body, header].map(hex).join(',')).join('\n');

for (const {
  name,
  block,
  file,
  program,
  run: [command = '', ...rest],
} of LANGUAGES) {
  const receiver = new RegExp(`\`\`\`${block} receiver\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
  if (receiver === undefined) throw new Error(`the page has no receiver in ${name}`);
  writeFileSync(path.join(dir, file), program(receiver));
  const { stdout, stderr, error } = spawnSync(command, rest, { cwd: dir, input, encoding: 'utf8' });
  const answers = (stdout ?? '').trim().split('\n');
  const wrong = CASES.filter(({ verified }, index) => answers[index] !== String(verified));
  if (error !== undefined || wrong.length > 0 || answers.length !== CASES.length) process.exitCode = 1;
  process.stdout.write(
    `${name}: ` +
      `${error ? error.message : wrong.length === 0 ? `${CASES.length} of ${CASES.length} cases right` : `wrong at ${JSON.stringify(wrong[0])}: ${stdout}${stderr}`}\n`,
  );
}
rmSync(dir, { recursive: true, force: true });
