// Kinds of columns that several tables of the hub have.
import { bigint, customType } from 'drizzle-orm/pg-core';

/** An integer below 2^53. */
export const long = (name: string) => bigint(name, { mode: 'number' });

/** JSON kept as the text it was written as; jsonb would reorder members and refuse \u0000. */
export const jsonText = <T>(name: string) =>
  customType<{ data: T; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => JSON.parse(value) as T,
  })(name);
