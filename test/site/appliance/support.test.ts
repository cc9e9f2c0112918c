// What a technician has when the site does not answer, and what he sends away then.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readArchive } from '../../../common/archive.ts';
import { ApiClient } from '../../../common/terminal/api.ts';
import { runChecks } from '../../../site/cli/check.ts';
import { runCommand } from '../../../site/cli/main.ts';
import { showStatus } from '../../../site/cli/status/status.ts';
import { readSiteConfig } from '../../../site/config.ts';
import { freePort } from '../../support/process.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-support-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('a site that hangs is not said to be stopped: it does not answer, and is to be restarted', async () => {
  const socket = path.join(dir, 'admin.sock');
  const callers: net.Socket[] = [];
  const hung = net.createServer((caller) => void callers.push(caller.resume())).listen(socket);
  await once(hung, 'listening');
  const api = new ApiClient({
    at: { socket },
    whenSilent: 'nobody is there',
    whenLate: 'it is there',
    timeoutMs: 30,
  });
  const config = readSiteConfig({ CORE_DATA_DIR: dir });
  const said = async (language: 'en' | 'zh', json = false, by = api): Promise<string> => {
    const out: string[] = [];
    const terminal = { out: (text: string) => void out.push(text) };
    expect(await showStatus({ json, watch: false }, { api: by, config, terminal, env: {}, language })).toBe(
      2,
    );
    return out.join('');
  };
  expect(await said('en')).toMatch(
    /^● DOES NOT ANSWER\n\n[^\n]*systemctl restart fieldline-site\nit is there\n$/,
  );
  expect(await said('zh')).toMatch(/^● 没有应答\n\n[^\n]*systemctl restart fieldline-site\n/);
  expect(JSON.parse(await said('en', true))).toEqual({ running: false, exit: 2, error: 'it is there' });
  const [service] = await runChecks({ api, config });
  expect(service).toMatchObject({
    name: 'service',
    level: 'bad',
    text: expect.stringMatching(/does not answer in time/) as string,
  });
  for (const caller of callers) caller.destroy();
  hung.close();
  await once(hung, 'close');
  expect(await said('en', false, new ApiClient({ at: { socket }, whenSilent: 'nobody is there' }))).toMatch(
    /^● NOT RUNNING\n/,
  );
});

test('the archive for support has no password and no token of an address in it, also when nothing runs', async () => {
  const file = path.join(dir, 'bundle.tgz');
  const secret = 'hunter2-never-shown';
  const config = readSiteConfig({
    CORE_DATA_DIR: dir,
    CORE_INSTANCE: 'site-1',
    CORE_UPLINK_URL: `http://tech:${secret}@127.0.0.1:${await freePort()}/hq?token=${secret}`,
    CORE_UPLINK_KEY_REF: `env:${secret}`,
    [secret]: `id:${secret}`,
    AGENT_LLM_URL: `https://u:${secret}@llm.example/v1?key=${secret}`,
    AGENT_LLM_MODEL: 'm',
    AGENT_LLM_KEY_REF: `env:${secret}`,
    CORE_ADMIN_KEY_REF: `env:${secret}`,
  });
  expect(
    await runCommand(['bundle', file], {
      env: {},
      readConfig: () => config,
      terminal: { out: () => undefined },
    }),
  ).toBe(0);
  const texts = new Map<string, string>();
  await readArchive(file, async (name, _size, parts) => {
    let text = '';
    for await (const part of parts) text += part.toString('utf8');
    texts.set(name, text);
  });
  expect([...texts.keys()]).toEqual([
    'about.json',
    'status.json',
    'alarms.json',
    'audit.json',
    'parked.json',
    'retention.json',
    'nodes.json',
    'devices.json',
    'check.json',
    'unit.txt',
    'journal.txt',
  ]);
  expect([...texts.values()].filter((text) => text.includes(secret))).toEqual([]);
  expect(texts.get('about.json')).toContain('"url": "https://llm.example/…"');
  expect(texts.get('check.json')).toContain('cannot be reached at http://127.0.0.1:');
});
