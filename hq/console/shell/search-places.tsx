import { useNavigate } from '@tanstack/react-router';
import { AutoComplete } from 'antd';
import { useSiteList } from '../screen/site/name.tsx';
import { useSession } from '../session/session.tsx';
import { useWords } from '../word/language.tsx';
import { SearchInput } from './search-input.tsx';
import { words } from './words.ts';

interface Place {
  /** What it looks in, as the list of choices has it. */
  value: string;
  go: () => Promise<void>;
}

/** Sites that are offered by their names. */
const SITES = 5;

/** Where a text can be looked for by this user; Enter takes the first. */
function usePlaces(typed: string): Place[] {
  const say = useWords(words);
  const { can } = useSession();
  const navigate = useNavigate();
  const text = typed.trim();
  // By their names, which are here already: Enter does not wait for the hub.
  const sites = useSiteList();
  if (text === '') return [];
  const wanted = text.toLowerCase();
  const named = (can('uplink.view') ? sites : [])
    .filter(({ instance, displayName }) =>
      [instance, displayName ?? ''].some((name) => name.toLowerCase().includes(wanted)),
    )
    .slice(0, SITES);
  const events = (
    word: 'searchWords' | 'searchCamera' | 'searchPlace' | 'searchType',
    name: string,
  ): Place => ({
    value: say(word, { text }),
    go: () => navigate({ to: '/events', search: { [name]: text } }),
  });
  return [
    ...(can('events.view') && /^\d{1,15}$/.test(text)
      ? [
          {
            value: say('searchEvent', { id: text }),
            go: () => navigate({ to: '/events/$id', params: { id: text } }),
          },
        ]
      : []),
    ...named.map(({ instance, displayName }) => ({
      value: say('searchOpenSite', {
        site: displayName === null ? instance : `${displayName} (${instance})`,
      }),
      go: () => navigate({ to: '/sites/$instance', params: { instance } }),
    })),
    ...(can('events.view')
      ? [events('searchWords', 'q'), events('searchCamera', 'camera'), events('searchPlace', 'place')]
      : []),
    ...(can('uplink.view')
      ? [
          {
            value: say('searchSite', { text }),
            go: () => navigate({ to: '/sites', search: { q: text } }),
          },
        ]
      : []),
    // What no type can be is not asked for: the hub would refuse it.
    ...(can('events.view') && /^[a-z0-9_]+(?:\.[a-z0-9_]+)*$/.test(text)
      ? [events('searchType', 'type')]
      : []),
    ...(can('policy.view')
      ? [
          {
            value: say('searchLibrary', { text }),
            go: () => navigate({ to: '/library', search: { q: text } }),
          },
        ]
      : []),
  ];
}

/**
 * The box with the places that are offered.
 * @param leave ends the search
 */
export function SearchPlaces({
  typed,
  type,
  leave,
}: {
  typed: string;
  type: (text: string) => void;
  leave: () => void;
}) {
  const places = usePlaces(typed);
  return (
    <AutoComplete
      autoFocus
      // What was typed before this was loaded.
      defaultOpen={typed !== ''}
      className="search-box"
      defaultActiveFirstOption
      value={typed}
      options={places.map(({ value }) => ({ value }))}
      onBlur={leave}
      onChange={(value: string) => {
        // Choosing one puts its words into the box for a moment.
        if (!places.some((place) => place.value === value)) type(value);
      }}
      onSelect={(value: string) => {
        void places.find((place) => place.value === value)?.go();
        type('');
        leave();
      }}
      onInputKeyDown={({ key }) => {
        if (key !== 'Escape') return;
        type('');
        leave();
      }}
    >
      <SearchInput />
    </AutoComplete>
  );
}
