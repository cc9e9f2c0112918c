// A site and its headquarters on one machine, as the checks of both see them.
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { type Answer, expectStatus, jsonOf, request, signedCall, until } from '../support/request.ts';
import { expectEqual, expectMatch } from './checks.ts';
import type { Machine } from './machine.ts';

export const SITE = 'fieldline-site.service';
export const HUB = 'fieldline-hq.service';

export class Pair {
  readonly machine: Machine;
  readonly site: string;
  readonly hub: string;
  key: SigningKey = { keyId: '', secret: '' };
  /** The key of the site at headquarters, `<key id>:<secret>`. */
  uplinkKey = '';
  readonly acknowledged = new Set<string>();
  #count = 0;

  constructor(machine: Machine, site: string, hub: string) {
    this.machine = machine;
    this.site = site;
    this.hub = hub;
  }

  static on(machine: Machine): Pair {
    return new Pair(machine, `${machine.address}:8081`, `${machine.address}:8091`);
  }

  adminKey(of: 'site' | 'hq'): string {
    return this.machine.read(`var/lib/fieldline-${of}/secrets/admin-key`).trim();
  }

  call(of: 'site' | 'hq', path: string): Promise<Answer> {
    return request({
      url: `http://${of === 'site' ? this.site : this.hub}`,
      method: 'GET',
      path,
      headers: { 'x-admin-key': this.adminKey(of) },
      timeoutMs: 10_000,
    });
  }

  ready(of: 'site' | 'hq'): Promise<unknown> {
    return until(
      `${of} is ready`,
      async () => (await this.call(of, '/readyz').catch(() => null))?.status === 200,
      60_000,
    );
  }

  /** @param doubted by what it is told that the camera may not be registered as it was meant */
  addNode(tenant: string, name: string, doubted: RegExp | null = null): SigningKey {
    const { code, out: said } = this.machine.run(
      ...(['fieldline-site', 'node', 'add', '--tenant', tenant, '--name', name, '--lang', 'en'] as const),
    );
    expectEqual(code, doubted === null ? 0 : 1, `exit code of node add, which said ${said}`);
    if (doubted) expectMatch(said, doubted, 'doubt');
    const [keyId, secret] = [/key id\s+(\S+)/.exec(said)?.[1], /secret\s+(fln_\S+)/.exec(said)?.[1]];
    if (keyId === undefined || secret === undefined) throw new Error(`no key in: ${said}`);
    return { keyId, secret };
  }

  /** Posts a batch; what is acknowledged is remembered. */
  async post(count: number, more: object = {}, key = this.key): Promise<Answer> {
    const events = Array.from({ length: count }, () => ({
      idempotency_key: `p${(this.#count += 1)}`,
      type: 'vehicle.intrusion',
      severity: 'high',
      ...more,
    }));
    const answer = await signedCall({
      url: `http://${this.site}`,
      key,
      method: 'POST',
      path: '/api/core/events',
      body: JSON.stringify({ events }),
    });
    if (answer.status < 300) for (const { idempotency_key } of events) this.acknowledged.add(idempotency_key);
    return answer;
  }

  /** Keys that were acknowledged at the site and are not at headquarters. */
  async missing(): Promise<string[]> {
    const there = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { items: { idempotencyKey: string }[]; nextCursor: string | null } = jsonOf(
        expectStatus(
          await this.call(
            'hq',
            `/api/core/events/list?limit=1000&include_test=true${cursor === '' ? '' : `&cursor=${cursor}`}`,
          ),
          200,
        ),
      );
      for (const { idempotencyKey } of page.items) there.add(idempotencyKey);
      cursor = page.nextCursor;
    }
    return [...this.acknowledged].filter((key) => !there.has(key));
  }

  arrived(withinMs = 60_000): Promise<unknown> {
    return until('everything is at headquarters', async () => (await this.missing()).length === 0, withinMs);
  }

  /** Adds lines to the configuration of the site and starts it with them. */
  async configure(...lines: string[]): Promise<void> {
    this.machine.must(
      'sh',
      '-c',
      `printf '${lines.join('\\n')}\\n' >> /etc/fieldline-site/site.env && systemctl restart ${SITE}`,
    );
    await this.ready('site');
  }

  /** One whole line of systemd about the site. */
  async said(line: RegExp): Promise<void> {
    let text = '';
    await until(
      `systemctl status says ${line}`,
      async () => line.test((text = this.machine.property(SITE, 'StatusText'))),
      45_000,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}, it says: ${text}`, { cause: error });
    });
  }
}
