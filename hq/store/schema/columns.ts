// Kinds of columns that several tables of the hub have. Times are epoch milliseconds, ids below 2^53.
import { bigint, customType, text as databaseText } from 'drizzle-orm/pg-core';

/** An integer below 2^53. */
export const long = (name: string) => bigint(name, { mode: 'number' });

/** Compared by its bytes, as on a site, whatever the database's own collation. */
export const text = customType<{ data: string; driverData: string }>({ dataType: () => 'text collate "C"' });

/** Texts, looked up by equality alone. */
export const textArray = (name: string) => databaseText(name).array();

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** JSON kept as the text it was written as; jsonb would reorder members and refuse \u0000. */
export const jsonText = <T>(name: string) =>
  customType<{ data: T; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => JSON.parse(value) as T,
  })(name);
