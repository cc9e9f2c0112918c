// The policies in force at this site, searched from the page, also without a link.
import type { SearchView } from '../../../common/policy/search/schema.ts';
import { ask } from './call.ts';
import { byId, element, note, put } from './element.ts';
import { language, say } from './language.ts';

interface Library {
  tenantCode: string;
  state: 'loading' | 'here' | 'refused';
  version: string | null;
  files: number;
  clauses: number;
  reason: string | null;
  reasonZh: string | null;
}
type Hit = SearchView['items'][number];

/** What was found last, shown anew in the other language. */
let found: SearchView | string | null = null;
let known: Library[] = [];

export function showLibrary(libraries: readonly Library[]): void {
  known = [...libraries];
  const w = say();
  byId('librarypart').hidden = libraries.length === 0;
  const select = byId<HTMLSelectElement>('librarytenant');
  const chosen = select.value;
  const options = libraries.map(({ tenantCode }) => element('option', { value: tenantCode }, tenantCode));
  select.replaceChildren(...options);
  if (libraries.some(({ tenantCode }) => tenantCode === chosen)) select.value = chosen;
  select.hidden = libraries.length < 2;
  select.setAttribute('aria-label', w('libraryTenant'));
  byId('libraryquery').setAttribute('placeholder', w('libraryAsk'));
  byId('libraryquery').setAttribute('aria-label', w('libraryAsk'));
  put('librarystate', ...libraries.map(stateOf));
  showFound();
}

function stateOf({ tenantCode, state, version, files, clauses, reason, reasonZh }: Library): HTMLElement {
  const w = say();
  const why = (language() === 'zh' ? reasonZh : null) ?? reason ?? '';
  const how = {
    here: () => w('libraryHere', { files, clauses }),
    loading: () => w('libraryLoading'),
    refused: () => w(version === null ? 'libraryRefused' : 'libraryOld', { why }),
  }[state]();
  return note(known.length > 1 ? `${tenantCode} · ${how}` : how);
}

export async function searchLibrary(): Promise<void> {
  const query = byId<HTMLInputElement>('libraryquery').value.trim();
  if (query === '') return;
  const tenant = byId<HTMLSelectElement>('librarytenant').value;
  try {
    found = await ask<SearchView>('POST', '/api/core/kb/search', { tenant_code: tenant, query });
  } catch (error) {
    found = (error as Error).message;
  }
  showFound();
}

/** Forgets what was found, when nobody is logged in. */
export function forgetLibrary(): void {
  found = null;
  byId<HTMLInputElement>('libraryquery').value = '';
  put('libraryfound');
}

function showFound(): void {
  if (found === null) return put('libraryfound');
  if (typeof found === 'string') return put('libraryfound', note(found));
  const w = say();
  const told = found.items.length === 0 ? w('libraryNothing') : w('libraryUncertain');
  const { files_coming: coming } = found;
  put(
    'libraryfound',
    ...(coming === undefined ? [] : [note(w('libraryComing', { coming }))]),
    ...(found.certain ? [] : [note(told)]),
    ...found.items.map(hit),
  );
}

function hit({
  title,
  docNo,
  version,
  clausePath,
  text,
  effectiveDate,
  expiryDate,
  twins,
}: Hit): HTMLElement {
  const w = say();
  const days =
    effectiveDate === null && expiryDate === null
      ? w('libraryAlways')
      : w('libraryDays', { from: effectiveDate ?? '…', until: expiryDate ?? '…' });
  const repeats = twins.map((twin) => `《${twin.title}》${twin.clausePath ?? ''}`).join('、');
  return element(
    'div',
    { class: 'clause' },
    element('strong', {}, [`《${title}》`, clausePath].filter(Boolean).join(' ')),
    element('p', {}, text),
    note([docNo, w('libraryVersion', { version }), days].filter(Boolean).join(' · ')),
    repeats ? note(w('libraryTwins', { others: repeats })) : null,
  );
}
