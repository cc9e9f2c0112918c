import { join } from 'node:path';
import { probeDisk } from '../../common/disk-space.ts';
import { redactUrls } from '../../common/http/outbound/redact-url.ts';
import { readKeyText } from '../../common/http/signing/credentials.ts';
import { sayer } from '../../common/message.ts';
import { version } from '../../common/package.ts';
import { logEnd } from '../../common/terminal/journal/archive.ts';
import { LOG_LINES, type SiteRequest, TRY_SECONDS } from '../../common/uplink/request/schema.ts';
import { Care, CareRefused, type Looked } from '../care/care.ts';
import { careMessages } from '../care/care-messages.ts';
import { CareFiles } from '../care/files.ts';
import { CareSender } from '../care/sender.ts';
import type { SiteContext } from '../cli/context.ts';
import type { SiteConfig } from '../config.ts';
import { createHttpClient } from '../http-client.ts';
import { pictureNow } from '../intake/picture/now.ts';
import type { EvidenceSender } from '../uplink/evidence/sender.ts';
import { HubCalls } from '../uplink/hub-calls.ts';
import type { Base } from './base.ts';
import type { DeviceGround } from './devices.ts';

/** Free room without which no file of an answer is written, bytes. */
const LEAST_FREE = 64 * 1024 * 1024;
const UNIT = 'fieldline-site.service';
// Colours of a terminal, where this process has one.
const COLOURS = /\u001b\[[0-9;]*[A-Za-z]/g;

export interface CareParts {
  care: Care;
  sender: CareSender;
  start(): Promise<void>;
}

/** What headquarters asks of this site: each look is the very command that a technician types here. */
export function createCare(
  base: Base,
  uplink: NonNullable<SiteConfig['uplink']>,
  { evidence, ground, onAnswer }: { evidence: EvidenceSender; ground: DeviceGround; onAnswer: () => void },
): CareParts {
  const { config, store, clock, log, lifecycle, overrides } = base;
  const files = new CareFiles(join(config.dataDir, 'care'));
  const client = createHttpClient(null, { maxSockets: 1 });
  lifecycle.onStop('care client', () => client.close());
  const key = () => readKeyText(uplink.keyRef, config.secrets);
  const sender = new CareSender({
    care: store.care,
    files,
    calls: new HubCalls({ client, key, url: uplink.url, clock }),
    pace: evidence.pace,
    free: () => evidence.free,
    clock,
    log,
  });
  lifecycle.onStop('care files', () => sender.loop.stop());
  const restart = overrides.restart ?? (() => process.kill(process.pid, 'SIGTERM'));
  const managed = config.serviceManager !== null || overrides.restart !== undefined;
  const care = new Care({
    care: store.care,
    allowed: config.remoteCare,
    look: looker(base, files, ground),
    restart: managed ? restart : null,
    upAgain: ({ language }) => sayer(careMessages, language)('upAgain', { version }),
    onAnswer: () => {
      onAnswer();
      sender.loop.kick();
    },
    clock,
    log,
  });
  lifecycle.onStop('care', () => care.loop.stop());
  return { care, sender, start: () => begin({ care, sender, files, store }) };
}

async function begin({
  care,
  sender,
  files,
  store,
}: Pick<CareParts, 'care' | 'sender'> & { files: CareFiles } & Pick<Base, 'store'>): Promise<void> {
  await files.keepOnly(new Set(store.care.files().map(({ requestId }) => requestId)));
  await care.begin();
  sender.loop.start();
}

type Look = (asked: SiteRequest, signal: AbortSignal) => Promise<Looked>;

function looker(base: Base, files: CareFiles, ground: DeviceGround): Look {
  const { config } = base;
  const looks: Record<Exclude<SiteRequest['what'], 'restart'>, Look> = {
    check: (asked) => command(base, asked, async (c) => (await import('../cli/check.ts')).check(PLAIN, c)),
    status: (asked) =>
      command(base, asked, async (c) =>
        (await import('../cli/status/status.ts')).showStatus({ ...PLAIN, watch: false }, c),
      ),
    try: (asked) => {
      const { device, seconds } = asked;
      const typed = { key: device ?? '', seconds: seconds ?? TRY_SECONDS.usual, ...PLAIN };
      return command(base, asked, async (c) => (await import('../cli/device.ts')).tryDevice(typed, c));
    },
    log: async ({ lines }) => ({
      exit: null,
      text: redactUrls(await logEnd(UNIT, lines ?? LOG_LINES.usual)),
    }),
    bundle: async (asked) => {
      requireRoom(config.dataDir);
      const { request_id: id } = asked;
      const { writeBundle } = await import('../cli/archive.ts');
      await writeBundle(await files.fresh(id), await contextOf(base, asked, () => undefined));
      const name = `${config.instance}-${new Date(base.clock.now()).toISOString().slice(0, 10)}.tar.gz`;
      const file = await files.announced(id, { name, content_type: 'application/gzip' });
      return { exit: null, text: null, file };
    },
    picture: (asked, signal) => picture(base, files, ground, asked, signal),
  };
  return (asked, signal) => {
    if (asked.what === 'restart') throw new Error('a restart is no look');
    return looks[asked.what](asked, signal);
  };
}

const PLAIN = { json: false } as const;

async function picture(
  { config }: Base,
  files: CareFiles,
  { shown, rooms, deviceOf }: DeviceGround,
  { request_id: id, device }: SiteRequest,
  signal: AbortSignal,
): Promise<Looked> {
  requireRoom(config.dataDir);
  const parts = { shown, rooms, deviceOf, networks: config.feedbackNetworks };
  const seen = await pictureNow(parts, device ?? '', signal);
  if ('unable' in seen) {
    if (seen.unable === 'no_device')
      throw new CareRefused({ code: 'request_no_device', params: { device: device ?? '' } });
    if (seen.unable === 'kind')
      throw new CareRefused({ code: 'request_no_picture', params: { kind: seen.kind } });
    throw new CareRefused({ code: 'request_picture_failed', params: { reason: seen.reason } });
  }
  const { contentType, bytes } = seen.picture;
  const type = contentType === 'image/png' ? 'image/png' : 'image/jpeg';
  const name = `${device ?? 'device'}.${type === 'image/png' ? 'png' : 'jpg'}`;
  const file = await files.write(
    id,
    { name: name.replace(/[^A-Za-z0-9._-]/g, '-'), content_type: type },
    bytes,
  );
  return { exit: null, text: null, file };
}

/** @throws CareRefused where the disk is so short that events need what is left */
function requireRoom(dataDir: string): void {
  if (probeDisk(dataDir).freeBytes < LEAST_FREE) throw new CareRefused({ code: 'request_disk', params: {} });
}

/** Carries out a command of the site's command line, by its own socket, as if typed here. */
async function command(
  base: Base,
  asked: SiteRequest,
  run: (context: SiteContext) => Promise<number>,
): Promise<Looked> {
  const said: string[] = [];
  const exit = await run(await contextOf(base, asked, (text) => said.push(text)));
  return { exit, text: said.join('').replace(COLOURS, '') };
}

async function contextOf(
  { config }: Base,
  { language }: SiteRequest,
  out: (text: string) => void,
): Promise<SiteContext> {
  const { SiteContext: Context } = await import('../cli/context.ts');
  const { commandMessages } = await import('../cli/command-messages.ts');
  const { siteTable } = await import('../cli/table/table.ts');
  return new Context({
    ...{ table: siteTable, language, plainAnswers: false, looks: false, env: {} },
    terminal: { out },
    messages: commandMessages,
    readConfig: () => config,
  });
}
