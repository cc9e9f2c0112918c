// The script of the status page: it logs in, asks the site every few seconds how it stands, and shows it.
// While the site does not answer, what it said last stays on the page.
import type { EventView } from '../../../common/core/event/render.ts';
import type { SiteFacts } from '../schema.ts';
import { type ParkedItem, SHOWN_PARKED, showParked } from './actions.ts';
import { call } from './call.ts';
import { byId, element, put } from './element.ts';
import { clockTime } from './figure.ts';
import { showHistory } from './history.ts';
import { language, say, switchLanguage } from './language.ts';
import { forgetLibrary, searchLibrary, showLibrary } from './library.ts';
import { showAlarms, showCameras, showEvents } from './lists.ts';
import type { PageMessages } from './page-messages.ts';
import { showTiles } from './tiles.ts';
import { learnTypes } from './type-names.ts';

const EVERY_MS = 5_000;
const EVERY_LOGGED_OUT_MS = 15_000;
const LABELS = {
  lang: 'other',
  logout: 'logout',
  keylabel: 'key',
  enter: 'enter',
  alarmshead: 'alarms',
  parkedhead: 'parkedHead',
  dayhead: 'day',
  libraryhead: 'library',
  librarygo: 'librarySearch',
  eventshead: 'events',
  camerashead: 'cameras',
} as const satisfies Record<string, keyof PageMessages>;

interface Shown {
  facts: SiteFacts;
  events: EventView[];
  parked: ParkedItem[];
  libraries: Parameters<typeof showLibrary>[0];
}

let shown: Shown | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

function show({ facts, events, parked, libraries }: Shown): void {
  const w = say();
  byId('instance').textContent = facts.instance;
  byId('version').textContent = `Fieldline ${facts.version} · ${clockTime(facts.now)}`;
  document.title = `${facts.instance} · ${w(facts.state)}`;
  const tone = ({ well: 'good', look: 'look', bad: 'bad' } as const)[facts.state];
  byId('state').className = tone;
  const why = [...showTiles(facts, again), ...(facts.alarms.length > 0 ? [w('alarms')] : [])];
  const reasons = facts.state !== 'well' && why.length > 0 ? element('small', {}, why.join(' · ')) : null;
  put('state', element('i', { class: tone }), element('span', {}, w(facts.state), reasons));
  showAlarms(facts, again);
  const count = facts.uplink.flows.reduce((sum, flow) => sum + flow.parked, 0);
  showParked(parked, count, again);
  showHistory(facts);
  showLibrary(libraries);
  showEvents(events);
  showCameras(facts);
}

function label(): void {
  document.documentElement.lang = language();
  for (const [id, key] of Object.entries(LABELS)) byId(id).textContent = say()(key);
  if (!byId('hint').dataset.fault) byId('hint').textContent = say()('hint');
  if (shown) show(shown);
  if (document.body.classList.contains('stale')) showGone(true);
}

/** Before a login nothing is shown but whether the site can store. */
async function showReadiness(): Promise<void> {
  const { ok } = await call('GET', '/readyz');
  byId('ready').className = ok ? 'good' : 'bad';
  byId('readytext').textContent = ok ? say()('can') : say()('cannot');
}

/** What was said last stays, and is seen to be old. */
function showGone(gone: boolean): void {
  const w = say();
  byId('trouble').hidden = !gone;
  byId('trouble').textContent = shown
    ? `${w('gone')} ${w('asOf', { t: clockTime(shown.facts.now) })}`
    : w('gone');
  document.body.classList.toggle('stale', gone);
  if (gone) document.title = `${shown ? `${shown.facts.instance} · ` : ''}${w('noAnswer')}`;
}

/** What a list has; nothing while it cannot be read. */
async function items<T>(path: string): Promise<T[]> {
  const list = await call('GET', path);
  return list.ok ? ((await list.json()) as { items: T[] }).items : [];
}

async function refresh(): Promise<void> {
  try {
    const answer = await call('GET', '/api/core/site/status');
    if (answer.status === 401 || answer.status === 403) {
      shown = null;
      await showReadiness();
    } else if (!answer.ok) throw new Error(String(answer.status));
    byId('login').hidden = answer.ok;
    byId('board').hidden = !answer.ok;
    byId('logout').hidden = !answer.ok;
    if (answer.ok) {
      const facts = (await answer.json()) as SiteFacts;
      const events = await items<EventView>('/api/core/events/list?limit=12&include_test=true');
      const refused = facts.uplink.flows.some(({ parked }) => parked > 0);
      const parked = refused ? await items<ParkedItem>(`/api/core/uplink/parked?limit=${SHOWN_PARKED}`) : [];
      const libraries = await items<Shown['libraries'][number]>('/api/core/kb/library');
      shown = { facts, events, parked, libraries };
      show(shown);
      // Nobody waits for names to see how the site stands.
      if (await learnTypes(events.map(({ tenantCode }) => tenantCode))) show(shown);
    }
    showGone(false);
  } catch {
    showGone(true); // Whatever it was, the next try tells.
  }
}

/** After something was done the page shows what came of it. */
const again = (): void => void run();

async function run(): Promise<void> {
  clearTimeout(timer);
  if (!document.hidden) await refresh();
  clearTimeout(timer);
  timer = setTimeout(() => void run(), shown ? EVERY_MS : EVERY_LOGGED_OUT_MS);
}

/** As `fieldline-site login` shows it; an admin key is longer. */
const CODE = /^[0-9a-z]{4}[\s-]?[0-9a-z]{4}$/i;

async function logIn(typed: string): Promise<void> {
  const body = CODE.test(typed) ? { code: typed } : { admin_key: typed };
  const answer = await call('POST', '/api/core/session/login', body);
  const hint = byId('hint');
  hint.dataset.fault = answer.ok ? '' : 'yes';
  hint.textContent = answer.ok ? say()('hint') : answer.status === 429 ? say()('held') : say()('wrong');
  if (!answer.ok) return;
  byId<HTMLInputElement>('key').value = '';
  await run();
}

async function logOut(): Promise<void> {
  await call('POST', '/api/core/session/logout');
  shown = null;
  forgetLibrary();
  await run();
}

/** For what a person asked for: when the site does not answer, the page says so. */
const tried = (work: () => Promise<void>): void => void work().catch(() => showGone(true));

byId('lang').addEventListener('click', () => {
  switchLanguage();
  label();
  if (!shown) tried(showReadiness);
});
byId('logout').addEventListener('click', () => tried(logOut));
byId('login').addEventListener('submit', (event) => {
  event.preventDefault();
  tried(() => logIn(byId<HTMLInputElement>('key').value.trim()));
});
byId('library').addEventListener('submit', (event) => {
  event.preventDefault();
  tried(searchLibrary);
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void run();
});
label();
/** Brought along by a telephone that scanned the QR code; it is used at once and not kept in the address. */
const scanned = location.hash.slice(1);
if (CODE.test(scanned)) {
  history.replaceState(null, '', location.pathname);
  tried(() => logIn(scanned));
}
void run();
