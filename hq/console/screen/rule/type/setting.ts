// The severity of a type, as a tenant sets it: one member of the prompt `severities.agent`.
import { App } from 'antd';
import { answerOf, api } from '../../../api/client.ts';
import { useAct } from '../../../page/act.ts';
import { useWords } from '../../../word/language.tsx';
import type { EventType } from '../../event/type-name.tsx';
import { words as eventWords } from '../../event/words.ts';
import { fetchNewest, type Rule } from '../queries.ts';
import { typeWords } from './words.ts';

export type Severity = NonNullable<EventType['severity']>;

const NAME = 'severities.agent';

export interface Setting {
  type: string;
  /** What the type is called. */
  name: string;
  /** What its person saw that the tenant says of it; null: nothing. */
  seen: Severity | null;
  /** null: the standard again. */
  severity: Severity | null;
}

const typesOf = (rule: Rule | null): Record<string, Severity> => ({
  ...(rule?.body.types as Record<string, Severity> | undefined),
});

/** Sets one, and leaves the others as they are. What somebody else set meanwhile is not replaced unseen. */
export function useSetting(tenant: string, then?: () => void) {
  const say = useWords(typeWords);
  const sayEvent = useWords(eventWords);
  const { notification } = App.useApp();
  const nameOf = (severity: Severity | null): string =>
    severity === null ? say('asStandard') : sayEvent(severity);
  return useAct({
    act: async ({ type, seen, severity }: Setting) => {
      const about = { tenantCode: tenant, kind: 'prompt' as const, name: NAME };
      const newest = await fetchNewest(about);
      const { [type]: now = null, ...others } = typesOf(newest);
      if (newest !== null && now !== seen) return { now, who: newest.by };
      const types = severity === null ? others : { ...others, [type]: severity };
      const body = { tenant_code: tenant, kind: 'prompt' as const, name: NAME, body: { types } };
      await answerOf(api.POST('/api/core/objects/rules', { body }));
      return null;
    },
    changes: [['rules']],
    done: (newer, { name, severity }) =>
      newer !== null
        ? null
        : severity === null
          ? say('reset', { type: name })
          : say('set', { type: name, severity: sayEvent(severity) }),
    then: (newer, { name: type }) => {
      if (newer === null) then?.();
      else
        notification.warning({
          title: say('overtaken', { type, who: newer.who, severity: nameOf(newer.now) }),
          duration: 0,
        });
    },
  });
}
