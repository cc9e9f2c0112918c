import type Sqlite from 'better-sqlite3';

export type CompiledOnce = (text: string) => Sqlite.Statement;

/** Statements by their text, each compiled when it is first asked for: its table may not be there before. */
export function compileOnce(db: Sqlite.Database): CompiledOnce {
  const compiled = new Map<string, Sqlite.Statement>();
  return (text) => {
    let statement = compiled.get(text);
    if (!statement) compiled.set(text, (statement = db.prepare(text)));
    return statement;
  };
}
