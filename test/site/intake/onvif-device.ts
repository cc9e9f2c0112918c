// A camera or recorder that speaks ONVIF, played by an HTTP server: what it tells waits in its subscriptions
// until it is asked for, and subscriptions end.
import { createHash } from 'node:crypto';
import type http from 'node:http';
import type { Scene } from '../../support/process.ts';
import { PlayedDevice } from './played-device.ts';

const SERVICE = '/onvif/device_service';
const ENVELOPE =
  'xmlns:SOAP-ENV="http://www.w3.org/2003/05/soap-envelope" xmlns:wsa5="http://www.w3.org/2005/08/addressing" ' +
  'xmlns:wsnt="http://docs.oasis-open.org/wsn/b-2" xmlns:tev="http://www.onvif.org/ver10/events/wsdl" ' +
  'xmlns:tt="http://www.onvif.org/ver10/schema" xmlns:tds="http://www.onvif.org/ver10/device/wsdl" ' +
  'xmlns:trt="http://www.onvif.org/ver10/media/wsdl" xmlns:ter="http://www.onvif.org/ver10/error" ' +
  'xmlns:dom0="http://www.axis.com/2009/event"';

export interface Told {
  topic?: string;
  operation?: string | null;
  source?: Record<string, string>;
  data?: Record<string, string>;
  at?: string;
}

const items = (element: string, all: Record<string, string>): string =>
  `<tt:${element}>${Object.entries(all)
    .map(([name, value]) => `<tt:SimpleItem Name="${name}" Value="${value}"/>`)
    .join('')}</tt:${element}>`;

/** A notification as a camera writes it. */
export function notification(told: Told = {}): string {
  const { topic = 'tns1:RuleEngine/CellMotionDetector/Motion', operation = 'Changed' } = told;
  const { source = { VideoSourceConfigurationToken: 'VSC0', Rule: 'MyMotion' } } = told;
  const { data = { IsMotion: 'true' }, at = new Date().toISOString() } = told;
  const property = operation === null ? '' : ` PropertyOperation="${operation}"`;
  return (
    '<wsnt:NotificationMessage>' +
    `<wsnt:Topic Dialect="http://www.onvif.org/ver10/tev/topicExpression/ConcreteSet">${topic}</wsnt:Topic>` +
    `<wsnt:Message><tt:Message UtcTime="${at}"${property}>${items('Source', source)}<tt:Key/>` +
    `${items('Data', data)}</tt:Message></wsnt:Message></wsnt:NotificationMessage>`
  );
}

export const soap = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><SOAP-ENV:Envelope ${ENVELOPE}><SOAP-ENV:Body>${body}` +
  '</SOAP-ENV:Body></SOAP-ENV:Envelope>';

/** An answer to PullMessages. */
export const pulled = (messages: readonly string[], at = Date.now(), lasts = 120_000): string =>
  soap(
    `<tev:PullMessagesResponse><tev:CurrentTime>${new Date(at).toISOString()}</tev:CurrentTime>` +
      `<tev:TerminationTime>${new Date(at + lasts).toISOString()}</tev:TerminationTime>` +
      `${messages.join('')}</tev:PullMessagesResponse>`,
  );

export const soapFault = (code: string, reason: string): string =>
  soap(
    '<SOAP-ENV:Fault><SOAP-ENV:Code><SOAP-ENV:Value>SOAP-ENV:Sender</SOAP-ENV:Value><SOAP-ENV:Subcode>' +
      `<SOAP-ENV:Value>${code}</SOAP-ENV:Value></SOAP-ENV:Subcode></SOAP-ENV:Code><SOAP-ENV:Reason>` +
      `<SOAP-ENV:Text xml:lang="en">${reason}</SOAP-ENV:Text></SOAP-ENV:Reason></SOAP-ENV:Fault>`,
  );

interface Waiting {
  queue: string[];
  answer: http.ServerResponse | null;
  /** Whether it answers, but tells nothing any more. */
  deaf: boolean;
}

export class OnvifDevice {
  readonly http: PlayedDevice;
  /** 'digest' and 'token' are what devices want; 'open' is neither. */
  wants: 'digest' | 'token' | 'open' = 'token';
  /** How far its clock is off, ms, and what it says of it beside that. */
  clockOff = 0;
  saysOff = 0;
  serial = 'SN0001';
  /** The sources, by the tokens of their configurations. */
  sources: Record<string, string> = { VSC0: 'VS0' };
  /** Written into the addresses that it gives. */
  named = 'http://192.168.77.7:8899';
  /** Whether a subscription has an address of its own. */
  addressed = true;
  /** Of a subscription, ms. */
  term = 120_000;
  /** Operations of which it knows nothing. */
  missing: string[] = [];
  /** Operations for which its user lacks the right. */
  forbidden: string[] = [];
  /** Whether a subscription takes no time, and what PullMessages takes at most. */
  takesNoTerm = false;
  most: { seconds: number; messages: number } | null = null;
  /** How things stand when a subscription begins. */
  standing: string[] = [];
  /** What is done in the place of an answer to PullMessages. */
  pulling: ((response: http.ServerResponse) => void) | null = null;
  picture: (response: http.ServerResponse) => void = (response) => void response.writeHead(404).end();
  readonly subscriptions = new Map<string, Waiting>();
  /** The names of the operations that were let in. */
  readonly called: string[] = [];
  /** Tokens that were wrong. */
  wrongTokens = 0;
  #next = 0;

  constructor(device: PlayedDevice) {
    this.http = device;
    device.openTo = (body) =>
      this.wants !== 'digest' || /<(?:GetSystemDateAndTime|GetServices|GetCapabilities)\b/.test(body);
    device.answering = (request, response, body) => this.#answer(request, response, body);
  }

  static async start(scene: Scene): Promise<OnvifDevice> {
    return new OnvifDevice(await PlayedDevice.start(scene));
  }

  /** Tells it to every subscription. */
  tell(...messages: readonly string[]): void {
    for (const one of this.subscriptions.values()) {
      if (one.deaf) continue;
      one.queue.push(...messages);
      this.#hand(one);
    }
  }

  /** It forgets its subscriptions, and everybody who waits is cut off. */
  reboot(): void {
    this.subscriptions.clear();
    this.http.hangUp();
  }

  get listening(): boolean {
    return [...this.subscriptions.values()].some(({ answer }) => answer !== null);
  }

  #answer(request: http.IncomingMessage, response: http.ServerResponse, body: string): void {
    if (request.method === 'GET') return this.picture(response);
    const operation = /<[\w-]*:?Body[^>]*>\s*<(?:[\w-]+:)?(\w+)/.exec(body)?.[1] ?? '';
    if (!this.#letIn(operation, body)) {
      this.wrongTokens += body.includes('UsernameToken') ? 1 : 0;
      return this.#say(response, soapFault('ter:NotAuthorized', 'Sender not Authorized'), 400);
    }
    if (this.forbidden.includes(operation))
      return this.#say(response, soapFault('ter:NotAuthorized', 'Sender not Authorized'), 400);
    this.called.push(operation);
    if (this.missing.includes(operation))
      return this.#say(response, soapFault('ter:ActionNotSupported', 'Optional Action Not Implemented'), 500);
    if (operation === 'CreatePullPointSubscription' && this.takesNoTerm && body.includes('TerminationTime'))
      return this.#say(response, soapFault('ter:InvalidArgVal', 'the parameter value is illegal'), 400);
    if (operation === 'PullMessages') return this.#pull(request.url ?? '', response, body);
    if (operation === 'Renew' && !this.subscriptions.has(subscriptionIn(request.url, body)))
      return this.#say(response, soapFault('wsrf-rw:ResourceUnknownFault', 'unknown'), 500);
    return this.#say(response, soap(this.#answers(operation, body)));
  }

  #letIn(operation: string, body: string): boolean {
    if (this.wants !== 'token') return true;
    if (['GetSystemDateAndTime', 'GetServices', 'GetCapabilities'].includes(operation)) return true;
    const of = (name: string): string =>
      new RegExp(`<wss?[eu]:${name}(?:\\s[^>]*)?>([^<]*)<`).exec(body)?.[1] ?? '';
    const created = of('Created');
    const late = Math.abs(Date.parse(created) - (Date.now() + this.clockOff));
    const digest = createHash('sha1')
      .update(Buffer.from(of('Nonce'), 'base64'))
      .update(created + this.http.password)
      .digest('base64');
    return of('Username') === this.http.user && of('Password') === digest && late < 30_000;
  }

  #answers(operation: string, body: string): string {
    const at = (path: string): string => `${this.named}${path}`;
    switch (operation) {
      case 'GetSystemDateAndTime':
        return this.#time();
      case 'GetServices':
        return (
          `<tds:GetServicesResponse>${this.#service('device', SERVICE)}${this.#service('media', '/onvif/media')}` +
          `${this.#service('events', '/onvif/events?a=1&amp;b=2')}</tds:GetServicesResponse>`
        );
      case 'GetCapabilities':
        return (
          '<tds:GetCapabilitiesResponse><tds:Capabilities><tt:Events>' +
          `<tt:XAddr>${at('/onvif/events')}</tt:XAddr></tt:Events></tds:Capabilities></tds:GetCapabilitiesResponse>`
        );
      case 'GetDeviceInformation':
        return `<tds:GetDeviceInformationResponse><tds:SerialNumber>${this.serial}</tds:SerialNumber></tds:GetDeviceInformationResponse>`;
      case 'GetProfiles':
        return `<trt:GetProfilesResponse>${Object.entries(this.sources).map(profile).join('')}</trt:GetProfilesResponse>`;
      case 'GetSnapshotUri': {
        const token = /ProfileToken>([^<]*)</.exec(body)?.[1] ?? '';
        return `<trt:GetSnapshotUriResponse><trt:MediaUri><tt:Uri>${at(`/snap?p=${token}`)}</tt:Uri></trt:MediaUri></trt:GetSnapshotUriResponse>`;
      }
      case 'CreatePullPointSubscription':
        return this.#subscribe();
      case 'Renew':
        return `<wsnt:RenewResponse>${this.#times('wsnt')}</wsnt:RenewResponse>`;
      default:
        return '';
    }
  }

  #time(): string {
    const now = new Date(Date.now() + this.clockOff + this.saysOff);
    const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth() + 1, now.getUTCDate()];
    return (
      '<tds:GetSystemDateAndTimeResponse><tds:SystemDateAndTime><tt:UTCDateTime>' +
      `<tt:Time><tt:Hour>${now.getUTCHours()}</tt:Hour><tt:Minute>${now.getUTCMinutes()}</tt:Minute>` +
      `<tt:Second>${now.getUTCSeconds()}</tt:Second></tt:Time><tt:Date><tt:Year>${year}</tt:Year>` +
      `<tt:Month>${month}</tt:Month><tt:Day>${day}</tt:Day></tt:Date></tt:UTCDateTime>` +
      '</tds:SystemDateAndTime></tds:GetSystemDateAndTimeResponse>'
    );
  }

  #service = (name: string, path: string): string =>
    `<tds:Service><tds:Namespace>http://www.onvif.org/ver10/${name}/wsdl</tds:Namespace>` +
    `<tds:XAddr>${this.named}${path}</tds:XAddr></tds:Service>`;

  #times(prefix: string): string {
    const now = Date.now() + this.clockOff;
    const text = (at: number): string => new Date(at).toISOString();
    return (
      `<${prefix}:CurrentTime>${text(now)}</${prefix}:CurrentTime>` +
      `<${prefix}:TerminationTime>${text(now + this.term)}</${prefix}:TerminationTime>`
    );
  }

  #subscribe(): string {
    this.#next += 1;
    const id = String(this.#next);
    this.subscriptions.set(id, { queue: [...this.standing], answer: null, deaf: false });
    return (
      '<tev:CreatePullPointSubscriptionResponse><tev:SubscriptionReference>' +
      `<wsa5:Address>${this.addressed ? `${this.named}/onvif/subscription` : ''}</wsa5:Address>` +
      '<wsa5:ReferenceParameters>' +
      `<dom0:SubscriptionId>${id}</dom0:SubscriptionId></wsa5:ReferenceParameters>` +
      `</tev:SubscriptionReference>${this.#times('wsnt')}</tev:CreatePullPointSubscriptionResponse>`
    );
  }

  #pull(url: string, response: http.ServerResponse, body: string): void {
    if (this.pulling) return this.pulling(response);
    const [, seconds, messages] = /<Timeout>PT(\d+)S<.*<MessageLimit>(\d+)</.exec(body) ?? [];
    if (this.most && (Number(seconds) > this.most.seconds || Number(messages) > this.most.messages))
      return this.#say(response, limitFault(this.most), 400);
    const waiting = this.subscriptions.get(subscriptionIn(url, body));
    if (!waiting) return this.#say(response, soapFault('wsrf-rw:ResourceUnknownFault', 'unknown'), 500);
    waiting.answer = response;
    response.on('close', () => (waiting.answer = waiting.answer === response ? null : waiting.answer));
    // A device that has nothing to tell at once waits for as long as it is asked to.
    if (Number(seconds) === 0 || waiting.deaf) return this.#hand(waiting, true);
    this.#hand(waiting);
    if (waiting.answer !== response) return;
    const late = setTimeout(() => this.#hand(waiting, true), Number(seconds) * 1000);
    response.on('close', () => clearTimeout(late));
  }

  #hand(waiting: Waiting, empty = false): void {
    const { answer, queue } = waiting;
    if (!answer || (queue.length === 0 && !empty)) return;
    waiting.answer = null;
    this.#say(answer, pulled(queue.splice(0, 10), Date.now() + this.clockOff, this.term));
  }

  #say(response: http.ServerResponse, text: string, status = 200): void {
    response.writeHead(status, { 'content-type': 'application/soap+xml; charset=utf-8' }).end(text);
  }
}

const limitFault = ({ seconds, messages }: { seconds: number; messages: number }): string =>
  soapFault('ter:InvalidArgVal', 'too much').replace(
    '</SOAP-ENV:Fault>',
    `<SOAP-ENV:Detail><tev:PullMessagesFaultResponse><tev:MaxTimeout>PT${seconds}S</tev:MaxTimeout>` +
      `<tev:MaxMessageLimit>${messages}</tev:MaxMessageLimit></tev:PullMessagesFaultResponse>` +
      '</SOAP-ENV:Detail></SOAP-ENV:Fault>',
  );

/** The subscription that a message names, as its header must. */
const subscriptionIn = (_url: string | undefined, body: string): string =>
  /<dom0:SubscriptionId xmlns:dom0="http:\/\/www\.axis\.com\/2009\/event"[^>]*IsReferenceParameter="true"[^>]*>(\d+)</.exec(
    body,
  )?.[1] ?? '';

const profile = ([configuration, source]: [string, string]): string =>
  `<trt:Profiles token="P-${source}" fixed="true"><tt:VideoSourceConfiguration token="${configuration}">` +
  `<tt:SourceToken>${source}</tt:SourceToken></tt:VideoSourceConfiguration>` +
  `<tt:VideoAnalyticsConfiguration token="VA-${source}"/></trt:Profiles>`;
