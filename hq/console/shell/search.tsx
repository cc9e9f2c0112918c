import { useState } from 'react';
import { later } from '../app/later.tsx';
import { useKeys } from '../keyboard/keys.ts';
import { useSession } from '../session/session.tsx';
import { SearchInput } from './search-input.tsx';

/** What is offered is loaded when somebody looks for something, or ahead: the first page goes without it. */
const SearchPlaces = later(
  async () => (await import('./search-places.tsx')).SearchPlaces,
  ({ typed, type }) => <SearchInput autoFocus value={typed} onChange={({ target }) => type(target.value)} />,
);

/** Looks in what the user may see; `/` leads here. */
export function SearchBox() {
  const { can } = useSession();
  const [looking, look] = useState(false);
  const [typed, type] = useState('');
  useKeys({ '/': () => look(true) });
  if (!can('uplink.view') && !can('events.view') && !can('policy.view')) return null;
  if (!looking)
    return (
      <SearchInput value={typed} onChange={({ target }) => type(target.value)} onFocus={() => look(true)} />
    );
  return <SearchPlaces typed={typed} type={type} leave={() => look(false)} />;
}
