// This browser as a device that takes calls: its subscription to the push service that it names.
import { answerOf, api } from '../../api/client.ts';
import { canWork } from '../../worker/register.ts';

export type Ability = 'unable' | 'denied' | 'off' | 'on';

/** How long the worker may take to be there, ms: it is registered a while after the page. */
const WORKER_MS = 20_000;

const canPush = (): boolean =>
  canWork() && window.isSecureContext && 'PushManager' in window && 'Notification' in window;

async function workerHere(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register('/worker.js');
  return Promise.race([
    navigator.serviceWorker.ready,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('the service worker does not start')), WORKER_MS);
    }),
  ]);
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));

const textOf = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

async function present(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** As the hub knows a device: it never shows its address. */
async function hashOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @returns the hash by which the hub knows this browser; null: it takes no calls */
export async function ownDevice(): Promise<{ ability: Ability; hash: string | null }> {
  if (!canPush()) return { ability: 'unable', hash: null };
  if (Notification.permission === 'denied') return { ability: 'denied', hash: null };
  const subscription = await present();
  if (!subscription) return { ability: 'off', hash: null };
  return { ability: 'on', hash: await hashOf(subscription.endpoint) };
}

/** Asks the person, subscribes, and tells the hub. @throws Error where the browser or the hub does not */
export async function turnOn(pushKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return;
  const { pushManager } = await workerHere();
  const key = bytesOf(pushKey);
  const before = await pushManager.getSubscription();
  // One of another installation, or of other keys, is of no use here.
  if (before && textOf(before.options.applicationServerKey) !== pushKey) await before.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const body = {
    endpoint: subscription.endpoint,
    keys: { p256dh: textOf(subscription.getKey('p256dh')), auth: textOf(subscription.getKey('auth')) },
    label: labelOf(navigator.userAgent),
  };
  await answerOf(api.POST('/api/core/duty/devices', { body }));
}

/** Of whoever leaves this browser: what comes from now on is not for who comes next. */
export async function turnOff(): Promise<void> {
  if (!canPush()) return;
  const subscription = await present();
  if (!subscription) return;
  const hash = await hashOf(subscription.endpoint);
  await subscription.unsubscribe();
  const { devices } = await answerOf(api.GET('/api/core/duty/me'));
  const own = devices.find(({ endpointHash }) => endpointHash === hash);
  if (own) await answerOf(api.DELETE('/api/core/duty/devices/{id}', { params: { path: { id: own.id } } }));
}

/** Which browser on what, as people say it. */
export function labelOf(agent: string): string {
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /Firefox\//.test(agent)
      ? 'Firefox'
      : /Chrome\//.test(agent)
        ? 'Chrome'
        : /Safari\//.test(agent)
          ? 'Safari'
          : '';
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(agent)?.[0] ?? '';
  return [browser, system].filter((part) => part !== '').join(' · ');
}
