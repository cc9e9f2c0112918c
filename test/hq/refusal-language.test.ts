// What the console shows a Chinese reader of refusals and of the alarms of sites is in the answers of
// headquarters.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminCall, expectStatus, jsonOf, signedCall } from '../support/request.ts';
import { openSessionRig, type SessionRig } from './session-rig.ts';

let rig: SessionRig;
beforeAll(async () => {
  rig = await openSessionRig();
});
afterAll(() => rig.close());

interface Refusal {
  error: string;
  message: string;
  messageZh: string;
  details: { path: string; code: string; message: string; messageZh: string }[];
}

test('faults of a body, one of its schema and those between its members, in both languages', async () => {
  const answer = await rig.admin('POST', '/api/agent/channels', {
    tenant_code: 'acme',
    name: 'night',
    channel: 'sms',
    format: 'wecom',
  });
  expect(answer.status).toBe(400);
  const { message, messageZh, details } = jsonOf<Refusal>(answer);
  expect(message).toMatch(/^The request is not valid: format must be sms_gateway for sms/);
  expect(messageZh).toMatch(/^请求无效：format 短信通道必须是 sms_gateway；/);
  expect(details).toEqual(
    expect.arrayContaining([
      {
        path: 'recipients',
        code: 'recipients_needed',
        message: 'is required for sms and e-mail',
        messageZh: '短信和邮件通道必填',
      },
    ]),
  );
  const wrong = await rig.admin('POST', '/api/agent/channels', { tenant_code: 7 });
  expect(jsonOf<Refusal>(wrong).details[0]).toEqual({
    path: 'tenant_code',
    code: 'wrong_type_of',
    message: 'must be text, not a number',
    messageZh: '必须是文本，而不是数字',
  });
});

test.each([
  ['GET', '/api/core/events/999999', 404, /^所指的对象不存在/],
  ['POST', '/api/core/nothing', 404, /^所指的对象不存在/],
  ['DELETE', '/api/core/events', 405, /^该路径不支持此方法/],
  ['GET', '/api/core/events/list?limit=0', 400, /^请求无效：limit 不能小于 1。$/],
])('%s %s', async (method, path, status, text) => {
  const answer = await rig.admin(method, path);
  expect([answer.status, jsonOf<Refusal>(answer).messageZh]).toEqual([status, expect.stringMatching(text)]);
});

test('a wrong admin key, and a key that is for other calls, in both languages', async () => {
  const wrong = await adminCall(rig.hub.url, 'fla_wrong', 'GET', '/api/core/alarms');
  expect([wrong.status, jsonOf<Refusal>(wrong).messageZh]).toEqual([401, '管理密钥不正确。']);
  const key = jsonOf<{ keyId: string; secret: string }>(
    expectStatus(await rig.admin('POST', '/api/core/nodes', { tenant_code: 'acme', name: 'camera' }), 201),
  );
  const refused = await signedCall({
    ...{ url: rig.hub.url, key, method: 'GET', path: '/api/core/alarms', body: '', now: rig.clock.now() },
  });
  expect([refused.status, jsonOf<Refusal>(refused).messageZh]).toEqual([
    403,
    '边缘节点密钥不能用于此调用，请改用管理密钥（X-Admin-Key）或登录会话。',
  ]);
});

test('alarms and parked items of a site, also of one whose version sends English alone', async () => {
  const key = jsonOf<{ keyId: string; secret: string }>(
    expectStatus(await rig.admin('POST', '/api/core/sites', { instance: 'tunnel', tenants: ['acme'] }), 201),
  );
  const alarm = { severity: 'critical', raised_at: new Date(rig.clock.now()).toISOString() };
  const report = {
    at: alarm.raised_at,
    state: 'bad',
    storing: true,
    disk: { level: 'full', room_bytes: 1, used_bytes: 1, refused: 0 },
    shed: { events: 0, evidence: 0, evidence_bytes: 0, observations: 0 },
    clock_suspect: false,
    life_used_percent: null,
    silent_cameras: 0,
    order: { run: 'run-1', no: 1 },
    alarms: [
      {
        ...alarm,
        key: 'disk_full',
        message: 'The disk is full.',
        code: 'disk_full',
        message_zh: '磁盘已满。',
      },
      { ...alarm, key: 'camera_silent:gate-1', message: 'The camera gate-1 is silent.' },
      { ...alarm, key: 'of_tomorrow', message: 'Something new is wrong.' },
    ],
    parked: [
      {
        channel: 'events',
        origin_id: 7,
        error: 'tenant_not_allowed',
        message: 'The tenant other is not allowed to this site.',
        count: 1,
        first_at: alarm.raised_at,
        last_at: alarm.raised_at,
      },
    ],
  };
  const body = JSON.stringify({
    protocol: 1,
    version: '1',
    instance: 'tunnel',
    epoch: 'e',
    cursor: { from: 0, to: 0 },
    head: 0,
    oldest: 0,
    items: [],
    report,
  });
  const sent = { url: rig.hub.url, key, method: 'POST', path: '/api/core/uplink/verdicts', body };
  expectStatus(await signedCall({ ...sent, now: rig.clock.now() }), 200);
  const { items } = jsonOf<{ items: { key: string; code: string | null; messageZh: string }[] }>(
    expectStatus(await rig.admin('GET', '/api/core/alarms?instance=tunnel'), 200),
  );
  expect(items).toHaveLength(3);
  expect(items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ key: 'disk_full', code: 'disk_full', messageZh: '磁盘已满。' }),
      expect.objectContaining({
        key: 'camera_silent:gate-1',
        code: null,
        messageZh: expect.stringMatching(/^摄像机长时间没有上报（gate-1）。/) as string,
      }),
      expect.objectContaining({
        key: 'of_tomorrow',
        messageZh: expect.stringMatching(/^告警 of_tomorrow。/) as string,
      }),
    ]),
  );
  const site = jsonOf<{ parked: { messageZh: string }[] }>(
    expectStatus(await rig.admin('GET', '/api/core/uplink/status/tunnel'), 200),
  );
  expect(site.parked[0]?.messageZh).toMatch(/^总部不允许本站点使用该租户/);
});

test('why a channel did not take a test message', async () => {
  const { id } = jsonOf<{ id: string }>(
    expectStatus(
      await rig.admin('POST', '/api/agent/channels', {
        tenant_code: 'acme',
        name: 'inner',
        channel: 'chat',
        format: 'wecom',
        url: 'http://127.0.0.1:9/robot',
      }),
      201,
    ),
  );
  expect(jsonOf(expectStatus(await rig.admin('POST', `/api/agent/channels/${id}/test`), 200))).toEqual({
    taken: false,
    error: '127.0.0.1 lies outside the allowed networks; allow it with AGENT_CHANNEL_NETWORKS',
    errorZh: '127.0.0.1 不在允许的网络范围内；可用 AGENT_CHANNEL_NETWORKS 允许',
  });
});
