// A verdict of headquarters that a real site does not carry out: who gave it learns so at the real hub.
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitingDecisions } from '../../support/inbox.ts';
import { openPair, type Pair } from './pair.ts';

let pair: Pair;
beforeEach(async () => {
  pair = await openPair();
});
afterEach(() => pair.close());

/** By chen, on an event of the site. @returns the ids of the event at both ends */
async function judge(): Promise<{ here: number; there: number }> {
  const [here = 0] = await pair.rig.events(1);
  await pair.drain();
  const [event] = await pair.hub.store.events.page(0, 1);
  const there = event?.id ?? 0;
  const given = { verdict: 'false_alarm', by: 'chen', note: 'a shadow' };
  expect((await pair.call('POST', `/api/core/events/${there}/verdict`, given)).status).toBe(200);
  return { here, there };
}

const inbox = async (): Promise<string> =>
  JSON.stringify((await pair.call('GET', '/api/core/notifications?tenant_code=acme')).body);
const timelineOf = async (id: number): Promise<string> =>
  JSON.stringify((await pair.call('GET', `/api/core/events/${id}/timeline?tenant_code=acme`)).body);

test.each([
  {
    what: 'that its site had judged otherwise',
    before: (here: number) => pair.rig.judge(here),
    reason: 'the site had judged confirmed by li',
    reasonZh: '站点此前已由 li 研判为“确认”',
  },
  {
    what: 'on an event that its site keeps no more',
    before: (here: number) => {
      const db = new Database(path.join(pair.rig.dir, 'site.db'));
      db.prepare('DELETE FROM events WHERE id = ?').run(here);
      db.close();
      return Promise.resolve();
    },
    reason: 'the event is not kept here',
    reasonZh: '站点已不再保存该事件',
  },
])(
  'a verdict $what is told to who gave it, in the inbox and in the timeline',
  async ({ before, reason, reasonZh }) => {
    const { here, there } = await judge();
    expect(await inbox()).not.toContain('chen');
    expect(await timelineOf(there)).toContain('The verdict waits to go down to site-1.');
    await before(here);
    await pair.drain();
    await pair.drain();
    const [message, timeline] = [await inbox(), await timelineOf(there)];
    expect(message).toContain(
      `The site site-1 did not carry out what chen decided on event ${there}: ${reason}`,
    );
    expect(message).toContain(`站点 site-1 未执行 chen 对事件 ${there} 的决定：${reasonZh}`);
    expect(timeline).toContain(
      `site-1 did not carry out the verdict, and its camera does not hear of it: ${reason}`,
    );
    expect(timeline).toContain(`site-1 未执行研判结论，摄像机不会收到：${reasonZh}`);
    expect(timeline).not.toContain('waits to go down');
    expect(await waitingDecisions(pair.hub.store, 'site-1')).toEqual([]);
    expect((await pair.hub.store.decisions.counts()).get('site-1')).toMatchObject({ waiting: 0, refused: 1 });
  },
);
