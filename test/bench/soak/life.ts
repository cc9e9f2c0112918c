// What goes on during a soak, whatever is away: cameras post, people judge, consumers pull, links break and
// programs are killed.
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { signedHeaders } from '../../../common/http/signing/signature.ts';
import type { CameraClient } from '../../support/camera-client.ts';
import type { Batch, Consumer } from '../../support/ledger.ts';
import type { Program } from '../../support/process.ts';
import { type Answer, jsonOf, request, signedCall } from '../../support/request.ts';
import type { SiteSide, Stage } from './stage.ts';

/** Between two events of a camera, and between two with a picture of a site, ms. */
const EVENT_EVERY_MS = 5_000;
/** Share of the events that somebody judges, at the site or at headquarters. */
const JUDGED = 0.25;
const PICTURE_BYTES = 60_000;
const PULL_EVERY_MS = 1_000;
const AGAIN_MS = 200;
/** Between two troubles of one link, ms, and how long each lasts. */
const CALM_MS = [20_000, 60_000] as const;
const TROUBLE_MS = [2_000, 20_000] as const;
const KILL_EVERY_MS = 300_000;

/** Runs until it is ended, and then waits for what is under way. */
export class Life {
  readonly counts = { kills: 0, troubles: 0, verdicts: 0, pictures: 0 };
  readonly #stage: Stage;
  readonly #killEveryMs: number;
  readonly #ended = new AbortController();
  readonly #failed = new AbortController();
  #running: Promise<unknown>[] = [];

  /** @param lastsMs a short one is killed in, too */
  constructor(stage: Stage, lastsMs: number) {
    this.#stage = stage;
    this.#killEveryMs = Math.min(KILL_EVERY_MS, lastsMs / 4);
  }

  begin(): void {
    const { sites, hub, consumer } = this.#stage;
    const loops = sites.flatMap((side) => [
      ...side.cameras.map((camera) => this.#camera(side, camera)),
      this.#pictures(side),
      this.#pulls(side.program, side.consumer),
      this.#troubles(side),
    ]);
    this.#running = [...loops, this.#pulls(hub, consumer), this.#kills()];
    for (const one of this.#running) one.catch(() => this.#failed.abort());
  }

  /** Aborted as soon as something happens that must not: `end` throws what it was. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Leaves every link up and every program running. @throws what must not happen */
  async end(): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#running);
    for (const { link } of this.#stage.sites) link.up();
  }

  get #over(): boolean {
    return this.#ended.signal.aborted;
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#ended.signal }).catch(() => undefined);
  }

  async #camera(side: SiteSide, camera: CameraClient): Promise<void> {
    const { random } = this.#stage;
    await this.#pause(random.whole(0, EVENT_EVERY_MS));
    while (!this.#over) {
      const [told] = await camera.post(1);
      if (told && random.chance(JUDGED)) await this.#judge(side, told.id);
      await this.#pause(random.whole(EVENT_EVERY_MS / 2, EVENT_EVERY_MS * 1.5));
    }
  }

  /** At the site, or at headquarters whatever waits there; where that is away, nobody judges. */
  async #judge({ program }: SiteSide, id: number): Promise<void> {
    const { random, hub } = this.#stage;
    const body = { verdict: random.chance(0.5) ? 'confirmed' : 'false_alarm', by: 'li', note: 'seen' };
    const here = random.chance(0.5);
    const at = here ? program : hub;
    const page = here
      ? null
      : await tried(() => hub.api('GET', '/api/core/events/list?limit=1&verdict=none'));
    const event = here ? id : page && jsonOf<{ items: { id: number }[] }>(page).items[0]?.id;
    if (event === null || event === undefined) return;
    if (await tried(() => at.api('POST', `/api/core/events/${event}/verdict`, body)))
      this.counts.verdicts += 1;
  }

  async #pictures({ name, program, key, ledger }: SiteSide): Promise<void> {
    for (let no = 1; !this.#over; no += 1) {
      const picture = randomBytes(PICTURE_BYTES);
      const sha256 = createHash('sha256').update(picture).digest('hex');
      const event = { idempotency_key: `${name}-pictures/${no}`, type: 'person.fall', severity: 'high' };
      const file = { name: 'a.jpg', content_type: 'image/jpeg', size: picture.length, sha256 };
      const [path, body] = ['/api/core/events', JSON.stringify({ ...event, evidence: [file] })];
      ledger.willPost(`${name}-pictures`, [event.idempotency_key]);
      const told = await this.#insist(() =>
        signedCall({ url: program.url, key, method: 'POST', path, body }),
      );
      const id = jsonOf<{ items: { id: number }[] }>(told).items[0]?.id ?? 0;
      ledger.wasTold(event.idempotency_key, id);
      const target = `${path}/${id}/evidence/a.jpg`;
      await this.#insist(() => {
        const headers = signedHeaders(key, Date.now(), 'PUT', target, picture);
        return request({ url: program.url, method: 'PUT', path: target, body: picture, headers });
      });
      this.counts.pictures += 1;
      await this.#pause(EVENT_EVERY_MS);
    }
  }

  /** What was pulled is confirmed before more is pulled, however often its answer is lost. */
  async #pulls(program: Program, consumer: Consumer): Promise<void> {
    let batch: Batch | null = null;
    while (!this.#over) {
      try {
        batch ??= await consumer.pull();
        await consumer.confirm(batch);
        const { hasMore } = batch;
        batch = null;
        if (!hasMore) await this.#pause(PULL_EVERY_MS);
      } catch (error) {
        if (program.running && !/50[34]|fetch|socket|ECONN|other side|answer/i.test(String(error)))
          throw error;
        await sleep(AGAIN_MS);
      }
    }
  }

  async #troubles({ link }: SiteSide): Promise<void> {
    const { random } = this.#stage;
    for (;;) {
      await this.#pause(random.whole(...CALM_MS));
      if (this.#over) return;
      this.counts.troubles += 1;
      const kind = random.pick(['refused', 'silent', 'lossy'] as const);
      if (kind === 'lossy') link.up({ latencyMs: 50, bandwidth: 64 * 1024, breaksWithin: 60_000 });
      else link.down(kind);
      await this.#pause(random.whole(...TROUBLE_MS));
      link.up();
    }
  }

  /** The sites and the hub in turn; the last site is left alone, for a curve without a new beginning. */
  async #kills(): Promise<void> {
    const { hub, sites } = this.#stage;
    const inTurn = [hub, ...sites.slice(0, -1).map(({ program }) => program)];
    for (let at = 0; ; at += 1) {
      await this.#pause(this.#killEveryMs);
      if (this.#over) return;
      const program = inTurn[at % inTurn.length] as Program;
      await program.kill();
      await program.start();
      this.counts.kills += 1;
    }
  }

  async #insist(call: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await tried(call);
      if (answer) return answer;
      await sleep(AGAIN_MS);
    }
  }
}

/** null: nobody answered, or said that it is to come again. @throws for every other refusal */
async function tried(call: () => Promise<Answer>): Promise<Answer | null> {
  const answer = await call().catch(() => null);
  if (answer === null || answer.status === 503) return null;
  if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  return answer;
}
