// What people, agents and cameras do at a site and at headquarters while both are killed: each act bears a
// mark of its own, so that it can be counted afterwards wherever it should be.
import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { signedHeaders, type SigningKey } from '../../../common/http/signing/signature.ts';
import { TENANT } from '../deployment.ts';
import type { Program } from '../process.ts';
import type { Random } from '../random.ts';
import { type Answer, jsonOf, request, signedCall } from '../request.ts';

export const digest = (bytes: Buffer): string => hash('sha256', bytes, 'hex');

export type ActKind = 'step' | 'edge_note' | 'transition' | 'create';

export interface Act {
  mark: string;
  kind: ActKind;
  /** Transitions: the state. */
  to: string | null;
  where: 'site' | 'hub';
  /** It was answered that it is done, or ordered; false: nobody knows. */
  acknowledged: boolean;
  /** Given at headquarters and acknowledged. */
  orderId: string | null;
}

export interface ActsOptions {
  site: Program;
  hub: Program;
  node: SigningKey;
  feedbackUrl: string;
  random: Random;
}

/** Ends of this kind are part of the game; everything else that is answered is an oddity. */
const GAME = new Set([200, 201, 202, 400, 404, 409, 503]);
const TASKS = '/api/core/objects/tasks';
const NEXT: Record<string, readonly string[]> = {
  open: ['taken_over'],
  taken_over: ['completed'],
  completed: ['closed'],
};

interface TaskRow {
  id: number;
  state: string;
  instance: string | null;
}

export class Acts {
  /** Key of each event that the site acknowledged, its id there, and its picture. */
  readonly events: { key: string; id: number; picture: Buffer }[] = [];
  readonly acts: Act[] = [];
  /** Answers that nobody should get. */
  readonly oddities: string[] = [];
  #options: ActsOptions;
  #marks = 0;

  constructor(options: ActsOptions) {
    this.#options = options;
  }

  /** So many acts, one after another, of which those on events and groups are most. */
  async some(count: number): Promise<void> {
    const { random } = this.#options;
    for (let left = count; left > 0; left -= 1) {
      const dice = random.next();
      if (this.events.length < 3 || dice < 0.2) await this.#event();
      else if (dice < 0.3) await this.#judge();
      else if (dice < 0.45) await this.#make(random.chance(0.5) ? 'site' : 'hub');
      else if (dice < 0.8) await this.#work(random.chance(0.4) ? 'site' : 'hub');
      else await this.#group();
    }
  }

  /** As a camera does: again and again until it is told. */
  async #event(): Promise<void> {
    const { site, node, feedbackUrl, random } = this.#options;
    const key = `e-${(this.#marks += 1)}`;
    const picture = Buffer.from(key.repeat(random.whole(1, 20_000)));
    const body = JSON.stringify({
      idempotency_key: key,
      type: random.pick(['vehicle.intrusion', 'person.fall']),
      severity: random.pick(['low', 'high', 'critical']),
      site_ref: 's',
      camera_ref: key,
      local_alert_no: key,
      feedback_url: feedbackUrl,
      evidence: [
        { name: 'a.jpg', content_type: 'image/jpeg', size: picture.length, sha256: digest(picture) },
      ],
    });
    const path = '/api/core/events';
    const told = await this.#insist(() =>
      signedCall({ url: site.url, key: node, method: 'POST', path, body }),
    );
    const id = jsonOf<{ items: { id: number }[] }>(told).items[0]?.id ?? 0;
    this.events.push({ key, id, picture });
    const target = `/api/core/events/${id}/evidence/a.jpg`;
    await this.#insist(() => {
      const headers = signedHeaders(node, Date.now(), 'PUT', target, picture);
      return request({ url: site.url, method: 'PUT', path: target, body: picture, headers });
    });
  }

  async #insist(call: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await call().catch(() => null);
      if (answer && answer.status < 300) return answer;
      if (answer && answer.status !== 503) this.oddities.push(`${answer.status} ${answer.text}`);
      await pause(30);
    }
  }

  /** @returns null when nobody answered, or that it is to come again */
  async #at(where: 'site' | 'hub', method: string, path: string, body?: unknown): Promise<Answer | null> {
    const answer = await this.#options[where].api(method, path, body).catch(() => null);
    if (answer && !GAME.has(answer.status))
      this.oddities.push(`${method} ${path} at the ${where}: ${answer.status} ${answer.text}`);
    if (answer === null || answer.status === 503) await pause(20);
    return answer?.status === 503 ? null : answer;
  }

  async #judge(): Promise<void> {
    const { random } = this.#options;
    const where = random.pick(['site', 'hub'] as const);
    const event = await this.#anyEvent(where);
    const verdict = random.pick(['confirmed', 'false_alarm']);
    if (event !== null)
      await this.#at(where, 'POST', `/api/core/events/${event}/verdict`, { verdict, by: 'li', note: 'seen' });
  }

  async #anyEvent(where: 'site' | 'hub'): Promise<number | null> {
    const { random } = this.#options;
    if (where === 'site') return random.pick(this.events).id;
    const page = await this.#at('hub', 'GET', '/api/core/events/list?limit=60');
    const items = page ? jsonOf<{ items: { id: number }[] }>(page).items : [];
    return items.length === 0 ? null : random.pick(items).id;
  }

  async #make(where: 'site' | 'hub'): Promise<void> {
    const eventId = await this.#anyEvent(where);
    if (eventId === null) return;
    const act = this.#begin(where, 'create');
    this.#end(
      act,
      await this.#at(where, 'POST', TASKS, {
        tenant_code: TENANT,
        type: this.#options.random.pick(['disposal', 'rectification', 'review']),
        event_id: eventId,
        title: act.mark,
        severity: 'high',
        body: { where },
      }),
    );
  }

  /** A step, a note to the field or a transition on one of the tasks, as the state there allows it. */
  async #work(where: 'site' | 'hub'): Promise<void> {
    const { random } = this.#options;
    const page = await this.#at(where, 'GET', `${TASKS}?tenant_code=${TENANT}&limit=40`);
    const items = page ? jsonOf<{ items: TaskRow[] }>(page).items : [];
    const open = items.filter(({ state }) => state in NEXT);
    if (open.length === 0) return;
    const task = random.pick(open);
    const kind = random.pick(['step', 'edge_note', 'transition', 'transition'] as const);
    const [to = null] = NEXT[task.state] ?? [];
    const act = this.#begin(where, kind, kind === 'transition' ? to : null);
    const common = { tenant_code: TENANT, by: 'chen' };
    const [path, body] = {
      step: ['steps', { kind: 'note', text: act.mark }] as const,
      edge_note: ['edge_note', { text: act.mark }] as const,
      transition: ['transition', { to, note: act.mark, result_code: 'eliminated' }] as const,
    }[kind];
    this.#end(act, await this.#at(where, 'POST', `${TASKS}/${task.id}/${path}`, { ...common, ...body }));
  }

  #begin(where: 'site' | 'hub', kind: ActKind, to: string | null = null): Act {
    const act: Act = {
      mark: `<${(this.#marks += 1)}>`,
      kind,
      to,
      where,
      acknowledged: false,
      orderId: null,
    };
    this.acts.push(act);
    return act;
  }

  #end(act: Act, answer: Answer | null): void {
    if (answer === null) return;
    const { changed, order } = jsonOf<{ changed?: boolean; order?: { id: string } }>(answer);
    act.acknowledged = answer.status < 300 && (order !== undefined || changed !== false);
    act.orderId = order?.id ?? null;
    // It was refused: it is nowhere, or only as a refusal in the history.
    if (!act.acknowledged) this.acts.splice(this.acts.indexOf(act), 1);
  }

  /** The agent of the site writes groups back; a person splits, merges and confirms them. */
  async #group(): Promise<void> {
    const { random } = this.#options;
    const page = await this.#at('site', 'GET', `/api/core/incidents?tenant_code=${TENANT}&limit=50`);
    const groups = page ? jsonOf<{ items: { id: number; memberCount: number }[] }>(page).items : [];
    const dice = random.next();
    if (groups.length < 2 || dice < 0.5) {
      const event_ids = Array.from({ length: random.whole(1, 4) }, () => random.pick(this.events).id);
      const source_key = `g-${random.whole(1, 8)}`;
      const named = { tenant_code: TENANT, source_key, layer: 'L1', site_ref: 's' };
      await this.#at('site', 'POST', '/api/core/incidents/upsert', {
        ...named,
        event_ids: [...new Set(event_ids)],
      });
      return;
    }
    const [group, other] = [random.pick(groups), random.pick(groups)];
    const own = (what: string, body: object): Promise<Answer | null> =>
      this.#at('site', 'POST', `/api/core/incidents/${group.id}/${what}`, { by: 'li', ...body });
    if (dice < 0.6) await own('confirm', {});
    else if (dice < 0.8 && other.id !== group.id) await own('merge', { incident_ids: [other.id] });
    else {
      const detail = await this.#at('site', 'GET', `/api/core/incidents/${group.id}?tenant_code=${TENANT}`);
      const members = detail ? jsonOf<{ members?: { eventId: number }[] }>(detail).members : [];
      if (members && members.length > 1) await own('split', { event_ids: [members[0]?.eventId] });
    }
  }
}
