// What the console shows a Chinese reader of a refusal is in the answer of headquarters.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonOf } from '../support/request.ts';
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
        message: 'is required for sms',
        messageZh: '短信通道必填',
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
