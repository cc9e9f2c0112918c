// What the API says of who is called: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';

/** What the members of request bodies mean. */
export const dutyFields: FieldTexts = {
  'RotaInput.sites': ['Names of sites; null: all', ['tunnel-7']],
  'RotaInput.site_groups': [
    'Groups of sites that it is for, beside `sites`, as they stand at the moment; none and no `sites`: all',
    ['North'],
  ],
  'CallChoice.sites': ['Names of sites; null: all', ['tunnel-7']],
  'RotaInput.zone': ['IANA name of the time zone of all times of the rota', 'Asia/Shanghai'],
  'RotaInput.first_week': ['The Monday of the week in which weekly shifts are as written', '2026-11-30'],
  'RotaInput.shifts': ['Who is on duty in the week', []],
  'RotaInput.exceptions': ['When it is otherwise: swaps, holidays', []],
  'RotaInput.next_after_minutes': ['Nobody has taken over for so long: the next one is called', 5],
  'RotaShift.days': ['Days of the week on which the shift begins, 1 is Monday', [1, 2, 3, 4, 5]],
  'RotaShift.begin': ['Begin, by the clock of the zone', '08:00'],
  'RotaShift.end': ['End; where it is not after the begin, on the next day', '20:00'],
  'RotaShift.people': ['Users in the order in which they are called', ['li', 'wang']],
  'RotaShift.weekly': ['Each week the next one is first', false],
  'RotaException.away': ['Who is away; null: everybody', 'li'],
  'RotaException.instead': ['Who stands in; null: nobody', 'wang'],
  'CallChoice.when': [
    '`always`: for what fits the choice; `on_duty`: only where a rota calls them',
    'always',
  ],
  'CallChoice.severities': ['Severities of events', ['high', 'critical']],
  'CallChoice.quiet': 'Hours in which only those on duty are called; null: none',
  'CallQuiet.critical_through': ['Critical ones call nonetheless', true],
  'CallChoice.language': ['Of what is sent', 'zh'],
  'CallChoice.ways': ['How the person is called', ['push', 'email']],
  'CallChoice.email': ['Address for e-mail; null: none', 'li@example.com'],
  'PushDeviceInput.endpoint': [
    'Address at the push service, as the browser gives it',
    'https://push.example/send/abc',
  ],
  'PushDeviceInput.keys': 'Keys of the subscription, as the browser gives them',
  p256dh: [
    'Public key of the browser',
    'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  ],
  'PushDeviceKeys.auth': ['Secret of the browser', 'tBHItJI5svbpez7KI4CCXg'],
  'PushDeviceInput.label': ['What the browser calls itself', 'Chrome on Android'],
  'DutyLinkInput.token': ['The link that a call was sent with', 'b1d5….Zm9v'],
  'DutySeenInput.token': ['The link that a call was sent with', 'b1d5….Zm9v'],
  'DutySeenInput.opened': ['Whether the person opened it; otherwise the device showed it', false],
  'CallQuiet.begin': ['Begin, by the clock of the zone', '22:00'],
  'CallQuiet.end': ['End; before the begin, it is on the next day', '06:00'],
  'CallQuiet.zone': ['IANA name of a time zone', 'Asia/Shanghai'],
  'RotaInput.from': ['The least severity of an event that calls', 'high'],
  'RotaInput.alarms': ['Operational alarms that call', 'critical'],
  'CallChoice.alarms': ['Operational alarms too', false],
  'CallChoice.tenants': ['Tenants; null: all that the person may see', ['acme']],
  'RotaException.from': ['Begin, by the clock of the zone', '2026-12-24T18:00'],
  'RotaException.to': ['End, which is not in it', '2026-12-27T08:00'],
};

/** What the codes of errors mean. */
export const dutyErrors: ErrorTexts = {
  rota_exists: '该租户已有同名值班表，请换一个名称。',
  rota_changed: '值班表已被他人修改，请刷新后重试。',
  call_link_invalid: '链接无效或已过期。',
  call_over: '该告警已处理，无需接手。',
};
