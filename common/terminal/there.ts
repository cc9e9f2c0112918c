import { statSync } from 'node:fs';

/**
 * Whether there is such a file or folder. @throws Error of the system where this user may not look: what is
 * there is not called missing
 */
export const isThere = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined;
