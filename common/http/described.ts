import * as z from 'zod/mini';

/** What the API description says of a schema beside its form. */
export interface Described {
  /** Its name in `components.schemas`: one of a kind, as the generated types have it too. */
  id?: string;
  description?: string;
  /** A value that the schema takes, as it is sent. */
  example?: unknown;
}

/** Where a schema of the wire gets its name: `z.object({…}).register(described, { id: 'Event' })`. */
export const described = z.registry<Described>();
