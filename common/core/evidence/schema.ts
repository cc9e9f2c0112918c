import { severities } from '../event/schema.ts';

/**
 * What of its evidence a site sends up: nothing, what headquarters asks for, or beside that every file of an
 * event from a severity on.
 */
export const evidenceModes = ['none', 'on_demand', ...severities] as const;
export type EvidenceMode = (typeof evidenceModes)[number];
