import { chineseAlarms } from './alarm-words.ts';
import { chineseFaults } from './fault-words.ts';

// The script of the status page, served as it stands. Text from cameras and people goes into the page as text nodes only.
export const script = `'use strict';
(() => {
const words = {
  zh: {
    other: 'English', logout: '退出', key: '管理密钥', enter: '登录', hint: '密钥在网关上：sudo cat /var/lib/fieldline-site/secrets/admin-key（或另设的数据目录中）', wrong: '密钥不正确。', held: '尝试次数过多，请稍后再试。',
    gone: '网关没有应答，正在重试……', can: '网关正在存储', cannot: '网关当前不能存储', well: '运行正常', look: '需要查看', bad: '有故障',
    storing: '存储', yes: '正常', full: '磁盘已满，拒绝新事件', failed: '不能写入', seeLog: '查看：journalctl -u fieldline-site -n 50', link: '总部链路', up: '已连接', down: '已断开', never: '从未连通', untried: '尚未尝试', off: '未配置总部',
    heard: '总部上次应答', ago: '前', waits: '待上传', oldest: '最早', parked: '搁置', none: '从无数据', disk: '磁盘', free: '剩余', used: '已用', short: '空间不足', shedFirst: '先删除总部已有的数据', shedNone: '未配置总部，不会自动删除', wear: '存储卡', perEvent: (b, n) => '每事件 ' + b + '、' + n + ' 次同步', perDay: (b) => '每天写入 ' + b, few: (n) => '启动后 ' + n + ' 个事件', kept: (n) => n + ' 个事件', refusedCount: (n) => '拒绝 ' + n + ' 个请求', life: '寿命已用',
    clock: '时钟', clockGood: '正常', clockBad: '不可信', stepped: '上次调整', cameras: '摄像机', silent: '静默', allHeard: '全部有数据', noneSilent: '无静默', notYet: '尚无事件', parkedHead: '搁置', noCamera: '没有登记摄像机', alarms: '告警', noAlarm: '没有告警',
    day: '最近 24 小时', intake: '每 5 分钟接收', backlog: '待上传', notRunning: '未运行', next: (after) => after + '后再试', see: '查看：fieldline-site parked list', give: '用 fieldline-site setup 配置', add: '用 fieldline-site node add 登记', set: '请校时或检查时间服务', noFigures: '尚无数据', spare: '备用块即将耗尽，请更换', max: '最高', events: '最近事件', noEvent: '还没有事件', time: '时间', what: '事件', camera: '摄像机', verdict: '研判',
    confirmed: '属实', false_alarm: '误报', merged: '已合并', open: '待研判', test: '测试', last: '上次事件', count: '事件数', name: '名称', shed: '因空间不足已删除', store: '数据检查',
    good: '完好', checking: '检查中', unchecked: '尚未检查', damaged: '已损坏', s: ' 秒', m: ' 分钟', h: ' 小时', d: ' 天',
  },
  en: {
    other: '中文', logout: 'Log out', key: 'Admin key', enter: 'Log in', hint: 'The key is on the gateway: sudo cat /var/lib/fieldline-site/secrets/admin-key (or in the data directory that was set)', wrong: 'The key is wrong.', held: 'Too many attempts; try again later.',
    gone: 'The gateway does not answer; trying again…', can: 'The gateway is storing', cannot: 'The gateway cannot store now', well: 'All is well', look: 'Take a look', bad: 'Something is wrong',
    storing: 'Storing', yes: 'yes', full: 'disk full, events are refused', failed: 'cannot write', seeLog: 'see: journalctl -u fieldline-site -n 50', link: 'Headquarters', up: 'connected', down: 'cut off', never: 'never reached', untried: 'not tried yet', off: 'none configured',
    heard: 'last answer', ago: ' ago', waits: 'Waiting', oldest: 'oldest', parked: 'parked', none: 'never heard', disk: 'Disk', free: 'left', used: 'used', short: 'short of room', shedFirst: 'what headquarters holds is deleted first', shedNone: 'without headquarters nothing is deleted', wear: 'Card wear', perEvent: (b, n) => b + ' and ' + n + (n === 1 ? ' sync' : ' syncs') + ' per event', perDay: (b) => b + ' written a day', few: (n) => n + (n === 1 ? ' event' : ' events') + ' since start', kept: (n) => n + (n === 1 ? ' event' : ' events') + ' kept', refusedCount: (n) => n + (n === 1 ? ' request' : ' requests') + ' refused', life: 'life used',
    clock: 'Clock', clockGood: 'good', clockBad: 'not to be trusted', stepped: 'last set', cameras: 'Cameras', silent: 'silent', allHeard: 'all heard', noneSilent: 'none silent', notYet: 'no event yet', parkedHead: 'Parked', noCamera: 'none registered', alarms: 'Alarms', noAlarm: 'No alarm stands',
    day: 'Last 24 hours', intake: 'received in 5 minutes', backlog: 'waiting for headquarters', notRunning: 'not running', next: (after) => 'next try in ' + after, see: 'see: fieldline-site parked list', give: 'give one with: fieldline-site setup', add: 'add one with: fieldline-site node add', set: 'set it, or check the time service', noFigures: 'no figures yet', spare: 'spare blocks run out: replace it', max: 'at most', events: 'Last events', noEvent: 'No event yet', time: 'Time', what: 'Event', camera: 'Camera', verdict: 'Verdict',
    confirmed: 'confirmed', false_alarm: 'false alarm', merged: 'merged', open: 'open', test: 'test', last: 'Last event', count: 'Events', name: 'Name', shed: 'deleted for want of room', store: 'Data check',
    good: 'good', checking: 'being read', unchecked: 'not read yet', damaged: 'damaged', s: ' s', m: ' min', h: ' h', d: ' days',
  },
};
const chinese = ${chineseAlarms};
const chineseFaults = ${chineseFaults};
const remembered = (() => { try { return localStorage.getItem('lang'); } catch { return null; } })();
let lang = remembered || ((navigator.language || 'zh').startsWith('zh') ? 'zh' : 'en');
let shown = null;
const $ = (id) => document.getElementById(id);
const t = (key) => words[lang][key] || key;
const el = (name, attributes, ...children) => {
  const made = name === 'svg' || name.startsWith('svg:') ? document.createElementNS('http://www.w3.org/2000/svg', name.replace('svg:', '')) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  for (const child of children) if (child !== null && child !== undefined) made.append(child);
  return made;
};
const put = (id, ...children) => $(id).replaceChildren(...children);
const span = (ms) => { const s = Math.max(0, Math.round(ms / 1000)); return s < 120 ? s + t('s') : s < 7200 ? Math.round(s / 60) + t('m') : s < 172800 ? Math.round(s / 3600) + t('h') : Math.round(s / 86400) + t('d'); };
const bytes = (n) => { if (n === null) return '–'; n = Math.max(0, n); const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']; let at = 0; while (n >= 1024 && at < 4) { n /= 1024; at += 1; } return (n >= 100 || at === 0 ? Math.round(n) : n.toFixed(1)) + ' ' + units[at]; };
const two = (n) => String(n).padStart(2, '0');
const dayOf = (d) => { const here = new Date(); return d.toDateString() === here.toDateString() ? '' : (d.getFullYear() === here.getFullYear() ? '' : d.getFullYear() + '-') + two(d.getMonth() + 1) + '-' + two(d.getDate()) + ' '; };
const timeOf = (d) => two(d.getHours()) + ':' + two(d.getMinutes()) + ':' + two(d.getSeconds());
const clockTime = (text) => { const d = new Date(text); return dayOf(d) + timeOf(d); };
// A code may be broken after its dots and underlines rather than anywhere.
const broken = (text) => text.split(/(?<=[._/-])/).flatMap((part, at) => (at === 0 ? [part] : [el('wbr'), part]));
// In Chinese what a failed try means and what to do; the message, which is in English, has the particulars.
const faultNotes = (message) => { const found = lang === 'zh' && message ? chineseFaults.find(([pattern]) => new RegExp(pattern).test(message)) : null; return found ? [found[1], message] : [message]; };
const call = (method, path, body) => fetch(path, { method, headers: { 'X-Requested-With': 'fieldline', ...(body ? { 'Content-Type': 'application/json' } : {}) }, body: body && JSON.stringify(body), cache: 'no-store' });

const tile = (tone, head, value, ...notes) => el('div', { class: 'tile ' + tone }, el('h3', {}, head), el('strong', {}, value), ...notes.filter(Boolean).map((note) => el('p', {}, note)));
function tiles(f) {
  const now = Date.parse(f.now);
  const late = (text) => now - Date.parse(text);
  const { uplink, disk, wear, clock, cameras } = f;
  const list = [tile(f.storing.ok && f.integrity.state !== 'damaged' ? 'good' : 'bad', t('storing'), f.storing.ok ? t('yes') : t(f.storing.reason === 'disk_full' ? 'full' : 'failed'), t('kept')(f.storing.events), f.storing.reason === 'store_failed' ? t('seeLog') : null, t('store') + (lang === 'zh' ? '：' : ': ') + t(f.integrity.state))];
  const acks = uplink.channels.map((c) => c.lastAckAt).filter(Boolean).sort();
  const ack = acks[acks.length - 1];
  // After a start the link counts as down until it was tried.
  const link = uplink.link === 'up' || uplink.channels.some((c) => c.consecutiveFailures > 0) ? uplink.link : 'untried';
  const next = uplink.channels.map((c) => c.nextAttemptAt).filter(Boolean).sort()[0];
  list.push(uplink.enabled
    ? tile({ up: 'good', untried: 'none' }[link] || 'look', t('link'), t(link), ack ? t('heard') + ' ' + span(late(ack)) + t('ago') : null, ...(link === 'up' ? [] : faultNotes(uplink.channels.map((c) => c.lastError).find(Boolean))),
      link === 'up' || !next ? null : t('next')(span(-late(next))))
    : tile('none', t('link'), t('off'), t('give')));
  if (uplink.enabled) {
    const backlog = uplink.channels.reduce((sum, c) => sum + c.backlog, 0);
    const parked = uplink.channels.reduce((sum, c) => sum + c.parked, 0);
    const oldest = uplink.channels.map((c) => c.oldestUnsentAt).filter(Boolean).sort()[0];
    const old = oldest && late(oldest) > 600000;
    list.push(tile(parked > 0 || old ? 'look' : 'good', t('waits'), String(backlog), [oldest ? t('oldest') + ' ' + span(late(oldest)) : null, parked ? t('parked') + ' ' + parked : null].filter(Boolean).join(' · '), parked ? t('see') : null));
    if (parked > 0) list[list.length - 1].dataset.why = t('parkedHead');
  }
  const shed = disk.shed.evidence + disk.shed.observations + disk.shed.events;
  list.push(tile({ ok: 'good', short: 'look', full: 'bad' }[disk.level], t('disk'), t('free') + ' ' + bytes(disk.roomBytes), t('used') + ' ' + bytes(disk.usedBytes), disk.level === 'short' ? t('short') + (lang === 'zh' ? '：' : ': ') + t(uplink.enabled ? 'shedFirst' : 'shedNone') : null, disk.refused > 0 ? t('refusedCount')(disk.refused) : null, shed ? t('shed') + ' ' + shed : null));
  const known = wear.lifeUsedPercent !== null;
  const spare = wear.endOfLife !== null && wear.endOfLife !== 'normal';
  // With fewer events the writes at rest outweigh theirs.
  const each = wear.bytesPerEvent === null ? null : wear.events < 100 ? t('few')(wear.events) : t('perEvent')(bytes(wear.bytesPerEvent), wear.syncsPerEvent === null ? '–' : wear.syncsPerEvent);
  const daily = wear.bytesPerDay === null ? null : t('perDay')(bytes(wear.bytesPerDay));
  const figures = [known ? t('life') + ' ' + wear.lifeUsedPercent + ' %' : null, daily, each].filter(Boolean);
  list.push(tile(spare || (known && wear.lifeUsedPercent >= 90) ? 'look' : known ? 'good' : 'none', t('wear'), figures.length > 0 ? figures[0] : t('noFigures'), ...figures.slice(1), spare ? t('spare') : null));
  list.push(tile(clock.suspect ? 'look' : 'good', t('clock'), clock.suspect ? t('clockBad') : t('clockGood'), clockTime(f.now) + (clock.lastStep ? ' · ' + t('stepped') + ' ' + (clock.lastStep.stepMs > 0 ? '+' : '−') + span(Math.abs(clock.lastStep.stepMs)) : ''), clock.suspect ? t('set') : null));
  const silent = cameras.filter((c) => c.silent).length;
  list.push(tile(cameras.length === 0 ? 'none' : silent ? 'look' : 'good', t('cameras'), String(cameras.length), cameras.length === 0 ? t('noCamera') : silent ? t('silent') + ' ' + silent : t(cameras.every((c) => c.lastEventAt) ? 'allHeard' : 'noneSilent'), cameras.length === 0 ? t('add') : null));
  put('tiles', ...list);
  return list.filter((one) => !one.classList.contains('good') && !one.classList.contains('none')).map((one) => one.dataset.why || one.firstChild.textContent);
}
function picture(f) {
  const W = innerWidth < 640 ? 340 : 720, H = 170, L = 8, R = 8, T = 18, B = 22, step = f.history.stepSeconds * 1000, end = Math.ceil(Date.parse(f.now) / step) * step, start = end - 86400000;
  const x = (at) => L + ((at - start) / 86400000) * (W - L - R);
  const steps = f.history.steps.map((s) => ({ ...s, at: Date.parse(s.at) })).filter((s) => s.at >= start);
  const most = Math.max(1, ...steps.map((s) => s.received)), deep = Math.max(1, ...steps.map((s) => s.backlog));
  const y = (part) => H - B - part * (H - T - B);
  const svg = el('svg', { viewBox: '0 0 ' + W + ' ' + H, role: 'img', 'aria-label': t('day') });
  const have = new Set(steps.map((s) => s.at));
  for (let at = start; at < end - 2 * step; at += step) {
    if (have.has(at)) continue;
    let until = at;
    while (until < end - 2 * step && !have.has(until)) until += step;
    svg.append(el('svg:rect', { class: 'off', x: x(at).toFixed(1), y: T, width: (x(until) - x(at)).toFixed(1), height: H - T - B }));
    at = until;
  }
  for (const s of steps) if (s.received > 0) svg.append(el('svg:rect', { class: 'bar', x: x(s.at).toFixed(1), y: y(s.received / most).toFixed(1), width: 2, height: ((s.received / most) * (H - T - B)).toFixed(1) }));
  let path = '', last = null;
  if (steps.some((s) => s.backlog > 0)) for (const s of steps) { path += (last !== null && s.at - last === step ? 'L' : 'M') + x(s.at).toFixed(1) + ' ' + y(s.backlog / deep).toFixed(1); last = s.at; }
  if (path) svg.append(el('svg:path', { class: 'wait', d: path }));
  svg.append(el('svg:line', { class: 'axis', x1: L, x2: W - R, y1: H - B, y2: H - B }));
  for (let hour = 0; hour <= 24; hour += 6) {
    const d = new Date(start + hour * 3600000);
    svg.append(el('svg:text', { x: x(d.getTime()).toFixed(0), y: H - 6, 'text-anchor': hour === 0 ? 'start' : hour === 24 ? 'end' : 'middle' }, two(d.getHours()) + ':' + two(d.getMinutes())));
  }
  const legend = el('div', { class: 'legend' }, el('span', { class: 'in' }, t('intake') + ' (' + t('max') + ' ' + (steps.length ? Math.max(0, ...steps.map((s) => s.received)) : 0) + ')'),
    f.uplink.enabled ? el('span', { class: 'waiting' }, t('backlog') + ' (' + t('max') + ' ' + (steps.length ? Math.max(0, ...steps.map((s) => s.backlog)) : 0) + ')') : null, el('span', { class: 'dark' }, t('notRunning')));
  put('day', svg, legend);
}
const table = (heads, rows) => el('table', {}, el('thead', {}, el('tr', {}, ...heads.map(([text, kind]) => el('th', kind ? { class: kind } : {}, text)))), el('tbody', {}, ...rows));
function eventsTable(items) {
  const tones = { confirmed: 'bad', false_alarm: 'good', merged: 'none' };
  if (items.length === 0) return put('events', el('p', { class: 'quiet' }, t('noEvent')));
  put('events', table([[t('time')], [t('what')], [t('camera'), 'wide'], [t('verdict')]], items.map((e) => {
    const verdict = e.correctedTo || e.verdict;
    const at = new Date(e.occurredAt || e.receivedAt);
    const camera = e.cameraName || e.cameraRef || '';
    const below = [e.title ? broken(e.type) : null, e.isTest ? [t('test')] : null].filter(Boolean).flatMap((part, index) => (index === 0 ? part : [' · ', ...part]));
    return el('tr', {}, el('td', { class: 'time' }, dayOf(at) ? el('span', { class: 'day' }, dayOf(at)) : null, timeOf(at)),
      el('td', {}, ...(e.title ? [e.title] : broken(e.type)), below.length > 0 ? el('div', { class: 'quiet' }, ...below) : null, camera ? el('div', { class: 'quiet narrow' }, camera) : null), el('td', { class: 'wide' }, camera), el('td', {}, el('span', { class: 'badge ' + (tones[verdict] || 'look') }, t(verdict || 'open'))));
  })));
}
function camerasTable(f) {
  const list = [...f.cameras].sort((a, b) => b.silent - a.silent || (a.lastEventAt || '').localeCompare(b.lastEventAt || ''));
  if (list.length === 0) return put('cameras', el('p', { class: 'quiet' }, t('noCamera')));
  put('cameras', table([[t('name')], [t('last')], [t('count'), 'wide']], list.map((c) => el('tr', {}, el('td', {}, ...broken(c.name), ' ', c.silent ? el('span', { class: 'badge look' }, t('silent')) : null),
    el('td', { class: 'time' }, c.lastEventAt ? span(Date.parse(f.now) - Date.parse(c.lastEventAt)) + t('ago') : t(c.silent ? 'none' : 'notYet')), el('td', { class: 'wide' }, String(c.events))))));
}
// In Chinese what to do, and below the message, which is in English and has the particulars.
const alarmText = (a) => { const text = lang === 'zh' ? chinese[a.key.split(':')[0]] : null; return text ? [el('p', {}, text), el('p', { class: 'quiet' }, a.message)] : [el('p', {}, a.message)]; };
function show({ facts: f, events }) {
  $('instance').textContent = f.instance;
  $('version').textContent = 'Fieldline ' + f.version + ' · ' + clockTime(f.now);
  document.title = f.instance + ' · ' + t(f.state);
  const tone = { well: 'good', look: 'look', bad: 'bad' }[f.state];
  $('state').className = tone;
  const why = [...tiles(f), ...(f.alarms.length > 0 ? [t('alarms')] : [])];
  put('state', el('i', { class: tone }), el('span', {}, t(f.state), f.state !== 'well' && why.length > 0 ? el('small', {}, why.join(' · ')) : null));
  put('alarms', ...(f.alarms.length === 0 ? [el('p', { class: 'quiet' }, t('noAlarm'))] : f.alarms.map((a) =>
    el('div', { class: 'alarm ' + (a.severity === 'critical' ? 'bad' : 'look') }, ...alarmText(a), el('p', { class: 'quiet' }, a.key + ' · ' + clockTime(a.raisedAt))))));
  picture(f);
  eventsTable(events);
  camerasTable(f);
}
function label() {
  document.documentElement.lang = lang;
  for (const [id, key] of [['lang', 'other'], ['logout', 'logout'], ['keylabel', 'key'], ['enter', 'enter'], ['alarmshead', 'alarms'], ['dayhead', 'day'], ['eventshead', 'events'], ['camerashead', 'cameras']]) $(id).textContent = t(key);
  if (!$('hint').dataset.fault) $('hint').textContent = t('hint');
  if (shown) show(shown);
}
async function lights() {
  const ok = (await call('GET', '/readyz')).ok;
  $('ready').className = ok ? 'good' : 'bad';
  $('readytext').textContent = t(ok ? 'can' : 'cannot');
}
const trouble = (text) => { $('trouble').hidden = !text; $('trouble').textContent = text || ''; };
async function refresh() {
  try {
    const answer = await call('GET', '/api/core/site/status');
    const inside = answer.ok;
    if (answer.status === 401 || answer.status === 403) { shown = null; await lights(); } else if (!inside) throw new Error(String(answer.status));
    $('login').hidden = inside; $('board').hidden = !inside; $('logout').hidden = !inside;
    if (inside) {
      const list = await call('GET', '/api/core/events/list?limit=12&include_test=true');
      shown = { facts: await answer.json(), events: list.ok ? (await list.json()).items : [] };
      show(shown);
    }
    trouble('');
  } catch { trouble(t('gone')); }
}
let timer = null;
async function run() { clearTimeout(timer); if (!document.hidden) await refresh(); timer = setTimeout(run, shown ? 5000 : 15000); }
$('lang').addEventListener('click', () => { lang = lang === 'zh' ? 'en' : 'zh'; try { localStorage.setItem('lang', lang); } catch { /* a browser without storage forgets the language */ } label(); if (!shown) void lights(); });
$('logout').addEventListener('click', async () => { await call('POST', '/api/core/session/logout'); shown = null; await run(); });
$('login').addEventListener('submit', async (event) => {
  event.preventDefault();
  const answer = await call('POST', '/api/core/session/login', { admin_key: $('key').value.trim() });
  $('hint').dataset.fault = answer.ok ? '' : 'yes';
  $('hint').textContent = answer.ok ? t('hint') : t(answer.status === 429 ? 'held' : 'wrong');
  if (answer.ok) { $('key').value = ''; await run(); }
});
document.addEventListener('visibilitychange', () => { if (!document.hidden) void run(); });
label();
void run();
})();
`;
