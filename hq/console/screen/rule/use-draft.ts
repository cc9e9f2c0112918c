import { useState } from 'react';
import { useSession } from '../../session/session.tsx';
import { type Beginning, type Draft, readBody, samples, textOf } from './draft.ts';
import type { Rule } from './queries.ts';

interface Head {
  tenant: string;
  kind: Rule['kind'];
  name: string;
  /** The body as JSON: what the form changes too. */
  text: string;
}

/** A rule as it is being written. @param of what it begins with */
export function useDraft(of: Beginning | undefined) {
  const { identity } = useSession();
  const [head, set] = useState<Head>({
    tenant: of?.tenantCode ?? identity.tenantCode ?? '',
    kind: of?.kind ?? 'response',
    name: of?.name ?? '',
    text: textOf(of?.body ?? samples.response),
  });
  const read = readBody(head.text);
  const body = 'body' in read ? read.body : null;
  const whole: Draft | null =
    body === null ? null : { tenant_code: head.tenant.trim(), kind: head.kind, name: head.name.trim(), body };
  return {
    head,
    body,
    /** Where the text is no JSON; null: it is, or nobody knows. */
    line: 'line' in read ? read.line : null,
    whole,
    change: (patch: Partial<Head>) => set((before) => ({ ...before, ...patch })),
  };
}
