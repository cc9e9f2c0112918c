import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import type { Beginning, Draft } from './draft.ts';
import { fetchNewest, type Rule } from './queries.ts';
import { words } from './words.ts';

/**
 * Registers a rule over what its writer has seen: a version that came meanwhile, or a rule of that name that
 * was there already, is not replaced unseen.
 * @param of what the draft began with; absent: a new rule
 */
export function useRegistering(draft: Draft | null, of: Beginning | undefined, close: () => void) {
  const say = useWords(words);
  const [newer, tell] = useState<Rule | null>(null);
  const [seen, see] = useState<number | null>(of?.version ?? null);
  const partial = of !== undefined && of.version === undefined;
  const { run, pending } = useAct({
    act: async () => {
      if (draft === null) throw new Error('there is nothing to register');
      const newest = partial
        ? null
        : await fetchNewest({ tenantCode: draft.tenant_code, kind: draft.kind, name: draft.name });
      if (newest !== null && newest.version !== seen) return { newest };
      return { made: await answerOf(api.POST('/api/core/objects/rules', { body: draft })) };
    },
    changes: [['rules']],
    done: ({ made }) =>
      made === undefined ? null : say('done', { version: 'version' in made ? made.version : '' }),
    then: ({ newest }) => {
      if (newest) tell(newest);
      else close();
    },
  });
  return {
    register: () => run(undefined),
    pending,
    /** What stands now, and its writer had not seen. */
    newer,
    goOn: (): void => {
      see(newer?.version ?? null);
      tell(null);
    },
  };
}
