// The service worker: shows calls that come by push, takes them over by a tap, and keeps the shell of the
// console for when the hub is away. It keeps no answer of the API: the page keeps the last rows of its user
// (session/kept-rows.ts), who is known there. Its file has the version of the build in it
// (packaging/console/build.ts), so that each build is another worker with a cache of its own.
import type { PushPayload } from './payload.ts';

/** What of a service worker's scope is used here; the library of types for pages does not have it. */
interface WorkerScope {
  registration: ServiceWorkerRegistration;
  location: Location;
  clients: {
    claim(): Promise<void>;
    matchAll(of: { type: 'window'; includeUncontrolled: boolean }): Promise<WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(name: string, heard: (event: WorkerEvent) => void): void;
}
interface WindowClient {
  url: string;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}
interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
  request: Request;
  data: { json(): unknown } | null;
  notification: Notification;
  action: string;
  oldSubscription: PushSubscription | null;
  newSubscription: PushSubscription | null;
}

const worker = globalThis as unknown as WorkerScope;
/** Written in by the build: its version, and the files of the shell. */
const BUILD = '@BUILD@';
const FILES = '@FILES@';
const CACHE = `fieldline-${BUILD}`;
const SHELL = '/';
/** As long as a page waits for the hub before the kept shell is shown, ms. */
const PATIENCE_MS = 6_000;

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== worker.location.origin) return;
  if (event.request.mode === 'navigate') {
    // The API's own pages are none of the console.
    if (!/^\/(?:api|docs|open)(?:\/|$)/.test(url.pathname)) event.respondWith(page(event.request));
  } else if (url.pathname.startsWith('/assets/')) event.respondWith(asset(event.request));
});
// Asked for by the page, once the worker is there: to call people it waits for no file.
worker.addEventListener('message', (event) => event.waitUntil(keepShell()));
worker.addEventListener('push', (event) => event.waitUntil(show(event.data)));
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(moved(event)));
worker.addEventListener('notificationclick', (event) => event.waitUntil(clicked(event)));

/** Once for each build. A file that does not come is asked for again by the next page. */
async function keepShell(): Promise<void> {
  const cache = await caches.open(CACHE);
  if (await cache.match(SHELL)) return;
  const files = FILES.split(' ').filter((name) => name.startsWith('/'));
  const kept = await Promise.allSettled(files.map((name) => cache.add(name)));
  // The shell needs all of them; where one or the shell itself does not come, the next page asks again.
  if (kept.every(({ status }) => status === 'fulfilled')) await Promise.allSettled([cache.add(SHELL)]);
}

/** Nothing of another build is kept. */
async function activate(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** The hub's own page wherever it answers: it names the files of its version. */
async function page(request: Request): Promise<Response> {
  try {
    const answer = await within(fetch(request), PATIENCE_MS);
    if (answer.status < 500) return answer;
    throw new Error(`the hub answered ${answer.status}`);
  } catch (error) {
    const kept = await caches.match(SHELL);
    if (kept) return kept;
    throw error;
  }
}

/** The name of a file has the digest of what is in it: what is kept is what the hub would send. */
const asset = async (request: Request): Promise<Response> => (await caches.match(request)) ?? fetch(request);

const within = <T>(work: Promise<T>, ms: number): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('the hub is late')), ms);
    }),
  ]);

async function show(data: WorkerEvent['data']): Promise<void> {
  const payload = data?.json() as PushPayload | undefined;
  if (!payload) return;
  const { kind, title, body, tag, urgent, lang, token, url, take, open, takenBy } = payload;
  const calls = kind === 'call';
  const options: NotificationOptions & Record<string, unknown> = {
    ...{ body, tag, lang, icon: '/icon-192.png', badge: '/icon-badge.png' },
    ...{ data: { url, token, title, takenBy }, renotify: calls, silent: kind === 'taken' },
    requireInteraction: urgent,
    actions: calls
      ? [
          { action: 'take', title: take },
          { action: 'open', title: open },
        ]
      : [],
  };
  await worker.registration.showNotification(title, options);
  if (token !== '') await post('seen', { token, opened: false });
}

interface Shown {
  url: string;
  token: string;
  /** `{who}` stands for whoever has it. */
  takenBy: string;
}

async function clicked({ notification, action }: WorkerEvent): Promise<void> {
  notification.close();
  const { url, token, takenBy } = notification.data as Shown;
  if (action !== 'take') {
    await Promise.all([openAt(url), token === '' ? null : post('seen', { token, opened: true })]);
    return;
  }
  const answer = await post('take', { token });
  // Without a link, or with one that is not valid any more, the page says what is wrong.
  if (!answer?.ok) return openAt(`/take#${token}`);
  const { takenBy: who } = (await answer.json()) as { takenBy: string | null };
  await worker.registration.showNotification(takenBy.replace('{who}', who ?? ''), {
    ...{ body: notification.title, tag: notification.tag, icon: '/icon-192.png', badge: '/icon-badge.png' },
    ...{ silent: true, data: { url, token: '', takenBy } },
  });
}

/**
 * The push service has another address for this browser: the hub is told, and forgets the one before. To a
 * browser whose person has logged out it stays unknown, and the page on calls says so at the next visit.
 */
async function moved({ oldSubscription: before, newSubscription }: WorkerEvent): Promise<void> {
  const applicationServerKey = before?.options.applicationServerKey ?? null;
  const now =
    newSubscription ??
    (applicationServerKey &&
      (await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })));
  if (!now) return;
  const { endpoint, keys } = now.toJSON();
  const hash = before && (await hashOf(before.endpoint));
  const { devices } = (await (await ask('GET', 'me')).json()) as { devices?: KnownDevice[] };
  const known = devices?.find(({ endpointHash }) => endpointHash === hash);
  await ask('POST', 'devices', { endpoint, keys, label: known?.label ?? '' });
  if (known) await ask('DELETE', `devices/${known.id}`);
}

interface KnownDevice {
  id: string;
  label: string;
  endpointHash: string;
}

const ask = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`/api/core/duty/${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-requested-with': 'fieldline' },
    ...(body && { body: JSON.stringify(body) }),
  });

/** As the hub knows a device. */
async function hashOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** null: the hub did not answer. */
function post(what: 'seen' | 'take', body: object): Promise<Response | null> {
  return fetch(`/api/core/duty/link/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null);
}

/** In a window that is open, or else in a new one. */
async function openAt(url: string): Promise<void> {
  const [window] = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (!window) {
    await worker.clients.openWindow(url);
    return;
  }
  await window.focus();
  // A window that the worker does not lead cannot be sent on.
  await window.navigate(url).catch(() => worker.clients.openWindow(url));
}
