import type Sqlite from 'better-sqlite3';

export type CompiledOnce = (text: string) => Sqlite.Statement;

/**
 * Caches statements by their text. Each is compiled at its first use, because its table may not exist before.
 */
export function compileOnce(db: Sqlite.Database): CompiledOnce {
  const compiled = new Map<string, Sqlite.Statement>();
  return (text) => {
    let statement = compiled.get(text);
    if (!statement) compiled.set(text, (statement = db.prepare(text)));
    return statement;
  };
}
