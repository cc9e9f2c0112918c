// How the tree is built: its folders, which part may know which, and what no file may hold.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { allows, exceptionFor, layerOf, readLayers } from './support/layers.ts';
import {
  findCycles,
  importsOf,
  lineOf,
  listFiles,
  readSources,
  ROOT,
  type Source,
  topLevelOf,
  visit,
} from './support/sources.ts';

const PROGRAM = ['site', 'hq', 'common'];
const FORBIDDEN_NAMES = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'manager',
  'managers',
  'misc',
  'lib',
  'shared',
]);
// As the owner laid it down, and dot-files beside it.
const TOP_LEVEL = [
  ...['package.json', 'tsconfig.json', 'site', 'hq', 'common', 'packaging', 'systemd', 'test', 'README.md'],
  ...['package-lock.json', 'LICENSE'],
];
const MAX_LINES = 300;
const MAX_SOURCES = 25;

/** Which layer may import which, and what is let through, as the tables of common/README.md say. */
const table = readLayers();
/** Layers that do no I/O, and the packages that they may reach, which touch neither disk nor network. */
const PURE = new Set(['records', 'ports', 'decisions']);
const COMPUTES = new Set(['zod/mini', 'node:buffer', 'node:util', 'node:crypto', 'node-cron']);

// What each part may import from, besides itself and packages.
const MAY_IMPORT: Record<string, string[]> = { common: [], site: ['common'], hq: ['common'] };

const all = readSources([...PROGRAM, 'packaging', 'test']);
const program = all.filter((source) => PROGRAM.includes(topLevelOf(source.file)));

/** Imports from one file of the programs to another. */
const internal = program.flatMap((source) =>
  importsOf(source).flatMap(({ target: to }) => (to === undefined ? [] : [{ from: source.file, to }])),
);

/** Places where `wrong` holds, as "file:line". */
function places(sources: Source[], wrong: (node: ts.Node, source: Source) => boolean): string[] {
  const found: string[] = [];
  for (const source of sources) {
    visit(source.tree, (node) => {
      if (wrong(node, source)) found.push(lineOf(source, node));
    });
  }
  return found;
}

describe('folders', () => {
  test('and files at the top are only the agreed ones', () => {
    const top = new Set(listFiles().map(topLevelOf));
    const strange = [...top].filter((name) => !name.startsWith('.') && !TOP_LEVEL.includes(name));
    expect(strange).toEqual([]);
  });

  test('are named after what they hold', () => {
    const vague = listFiles().filter((file) =>
      path.posix
        .dirname(file)
        .split('/')
        .some((name) => FORBIDDEN_NAMES.has(name.toLowerCase())),
    );
    expect(vague).toEqual([]);
  });

  test('hold no more sources beside each other than one can overlook', () => {
    const count = new Map<string, number>();
    for (const { file } of all.filter((source) => topLevelOf(source.file) !== 'test')) {
      const folder = path.posix.dirname(file);
      count.set(folder, (count.get(folder) ?? 0) + 1);
    }
    expect([...count].filter(([, sources]) => sources > MAX_SOURCES)).toEqual([]);
  });
});

describe('imports', () => {
  test('stay within their program and what both share', () => {
    const wrong = program.flatMap((source) => {
      const own = topLevelOf(source.file);
      const allowed = [own, ...(MAY_IMPORT[own] ?? [])];
      return importsOf(source)
        .filter(({ target }) => target !== undefined && !allowed.includes(topLevelOf(target)))
        .map(({ specifier }) => `${source.file} imports ${specifier}`);
    });
    expect(wrong).toEqual([]);
  });

  test('of the console are the typed client, packages and how a sentence is filled in: it is no part of the hub', () => {
    const wrong = program
      .filter(({ file }) => file.startsWith('hq/console/'))
      .flatMap((source) =>
        importsOf(source)
          .filter(({ specifier, target }) =>
            target === undefined
              ? specifier.startsWith('node:')
              : !target.startsWith('hq/console/') && target !== 'common/message.ts',
          )
          .map(({ specifier }) => `${source.file} imports ${specifier}`),
      );
    expect(wrong).toEqual([]);
    expect(
      internal.filter(({ from, to }) => /^hq\/console\//.test(to) && !/^hq\/console\//.test(from)),
    ).toEqual([]);
  });

  test('of the console know the form of a push as the hub sends it, which they may not import', () => {
    const declared = (file: string): string[] => {
      const found: string[] = [];
      for (const source of program.filter((one) => one.file === file))
        visit(source.tree, (node) => {
          if (ts.isInterfaceDeclaration(node) && node.name.text === 'PushPayload')
            found.push(...node.members.map((member) => member.getText(source.tree)));
        });
      return found;
    };
    const sent = declared('hq/duty/call/text.ts');
    expect(sent.length).toBeGreaterThan(5);
    expect(declared('hq/console/worker/payload.ts')).toEqual(sent);
  });

  test('of lists in the console are the one form of a list', () => {
    // Their hits are chosen beside their clause; members stand on the page of their group.
    const OWN = ['hq/console/screen/policy/search.tsx', 'hq/console/screen/incident/members.tsx'];
    const PARTS = ['useRows', 'NewRows', 'MoreRows'];
    const wrong = program
      .filter(({ file }) => file.startsWith('hq/console/screen/') && !OWN.includes(file))
      .filter(({ text }) => PARTS.some((part) => new RegExp(`\\b${part}\\b`).test(text)));
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  test('come into a library of its own by its door', () => {
    const DOORS = { 'site/store/key-index/': 'key-index.ts' };
    const wrong = program.flatMap((source) =>
      importsOf(source).flatMap(({ target }) =>
        Object.entries(DOORS)
          .filter(
            ([folder, door]) =>
              target?.startsWith(folder) && !source.file.startsWith(folder) && target !== folder + door,
          )
          .map(() => `${source.file} imports ${target ?? ''}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('of undici are of headquarters and what runs beside the programs: a site has no memory for it', () => {
    const at = program.flatMap((source) =>
      importsOf(source)
        .filter(({ specifier }) => specifier === 'undici')
        .map(() => source.file),
    );
    expect(at).toEqual(['hq/http-client.ts']);
  });

  test('of koa-body are of headquarters: a site takes no forms', () => {
    const at = program.flatMap((source) =>
      importsOf(source)
        .filter(({ specifier }) => specifier === 'koa-body' || specifier === 'formidable')
        .map(() => source.file),
    );
    expect([...new Set(at)]).toEqual(['hq/form/forms.ts']);
  });

  test('of nodemailer are made late, by one file: a site that sends no e-mail has no memory for it', () => {
    const at = program.flatMap((source) =>
      importsOf(source)
        .filter(({ specifier }) => specifier.startsWith('nodemailer'))
        .map(({ dynamic }) => [source.file, dynamic]),
    );
    expect(at).toEqual([['common/agent/channel/smtp.ts', true]]);
  });

  test('respect the layers, as the page says', () => {
    const wrong = internal.filter(
      ({ from, to }) => !allows(table, from, to) && !exceptionFor(table, from, to),
    );
    const named = (file: string): string => `${file} (${layerOf(table, file)?.name ?? 'no layer'})`;
    expect(wrong.map(({ from, to }) => `${named(from)} imports ${named(to)}`)).toEqual([]);
  });

  test('have no cycles, also of types, and of what is loaded late', () => {
    const graph = new Map(
      program.map((source) => [
        source.file,
        importsOf(source).flatMap(({ target }) => (target ? [target] : [])),
      ]),
    );
    expect(findCycles(graph)).toEqual([]);
  });

  test('a cycle would be found', () => {
    expect(
      findCycles(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).toEqual(['b → c → b']);
  });
});

describe('a composition root', () => {
  const roots = program.filter(({ file }) => /^(?:site|hq)\/(?:app\.ts|compose\/)/.test(file));

  test('uses nothing before it is made, nor in what is called later', () => {
    expect(roots.length).toBeGreaterThan(10);
    expect(places(roots, usedBeforeMade)).toEqual([]);
  });

  test('that did would be found', () => {
    const found = (text: string): number => {
      const tree = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
      return places([{ file: 'a.ts', text, tree }], usedBeforeMade).length;
    };
    expect(found('function f() { const a = make(() => b.go()); const b = other(a); }')).toBe(1);
    expect(found('function f() { const b = other(); const a = make({ b: () => b.go() }); }')).toBe(0);
    expect(found('function f() { const a = make({ b: 1 }, (b) => b.c); const { b } = a; }')).toBe(0);
  });
});

describe('texts for people', () => {
  /** Codes and members that a catalogue of common/ has words for, and no other file of common/ names. */
  function foreign(file: string, start: string): string[] {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const codes = [...text.slice(text.indexOf(start)).matchAll(/^ {2}'?(?:\w+\.)?(\w+)'?: /gm)];
    const others = program
      .filter((source) => source.file.startsWith('common/') && source.file !== file)
      .map((source) => source.text)
      .join('\n');
    // Some codes are put together: `few_${unit}`.
    return codes.flatMap(([, code = '']) =>
      new RegExp(`\\b${code}\\b`).test(others) || /^(few|many)_/.test(code) ? [] : [code],
    );
  }

  test.each([
    ['common/http/fault/fault-messages.ts', 'inputFaultMessages'],
    ['common/http/fault/error-texts.ts', 'COMMON_ERRORS'],
    ['common/http/openapi/field-texts.ts', 'CORE_FIELDS'],
  ])('in %s are of what common/ has: those of a room stand beside it', (file, start) => {
    expect(foreign(file, start)).toEqual([]);
  });
});

describe('the table of layers', () => {
  test('has every file of the programs, and no layer that has none', () => {
    expect(program.filter(({ file }) => !layerOf(table, file)).map(({ file }) => file)).toEqual([]);
    const empty = table.layers.filter((layer) => !program.some(({ file }) => layerOf(table, file) === layer));
    expect(empty.map(({ name }) => name)).toEqual([]);
  });

  test('has no pattern that fits no file', () => {
    const idle = table.layers.flatMap(({ name, files }) =>
      files
        .filter((one) => !program.some(({ file }) => one.test(file)))
        .map((one) => `${name}: ${one.source}`),
    );
    expect(idle).toEqual([]);
  });

  test('names only layers that there are', () => {
    const names = table.layers.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const imported = table.layers.flatMap(({ mayImport }) => mayImport ?? []);
    expect(imported.filter((name) => !names.includes(name))).toEqual([]);
  });

  test('allows nothing that no file does, also by its exceptions', () => {
    const used = (from: string, to: string): boolean =>
      internal.some(
        (edge) => layerOf(table, edge.from)?.name === from && layerOf(table, edge.to)?.name === to,
      );
    const idle = table.layers.flatMap(({ name, mayImport }) =>
      (mayImport ?? []).filter((other) => !used(name, other)).map((other) => `${name}: ${other}`),
    );
    expect(idle).toEqual([]);
    const needed = (from: RegExp, to: RegExp): boolean =>
      internal.some((edge) => from.test(edge.from) && to.test(edge.to) && !allows(table, edge.from, edge.to));
    const vain = table.exceptions.flatMap(({ file, from, to }) =>
      to.filter((one) => !needed(from, one)).map((one) => `${file}: ${one.source}`),
    );
    expect(vain).toEqual([]);
  });

  test('keeps the ground, the core and the stores apart', () => {
    expect(allows(table, 'common/http/auth.ts', 'common/core/key/port.ts')).toBe(false);
    expect(allows(table, 'common/loop.ts', 'common/core/event/record.ts')).toBe(false);
    expect(allows(table, 'common/core/event/decide.ts', 'common/core/event/service.ts')).toBe(false);
    expect(allows(table, 'common/core/event/service.ts', 'common/agent/act/agent.ts')).toBe(false);
    expect(allows(table, 'common/core/event/service.ts', 'site/store/adapter/event.ts')).toBe(false);
    expect(allows(table, 'hq/receiver/service.ts', 'hq/receiver/store/receiver.ts')).toBe(false);
  });

  test('keeps records, ports and decisions from I/O, also through what they import', () => {
    const kept = (source: Source) => importsOf(source).filter(({ typeOnly }) => !typeOnly);
    const atRunTime = new Map(program.map((source) => [source.file, kept(source)]));
    const pure = program.filter(({ file }) => PURE.has(layerOf(table, file)?.name ?? ''));
    const impure = pure.flatMap(({ file }) => {
      const seen = new Set([file]);
      for (const one of seen) {
        for (const { target } of atRunTime.get(one) ?? []) if (target !== undefined) seen.add(target);
      }
      return [...seen].flatMap((one) =>
        (atRunTime.get(one) ?? [])
          .filter(({ target, specifier }) => target === undefined && !COMPUTES.has(specifier))
          .map(({ specifier }) => `${file}: ${specifier} in ${one}`),
      );
    });
    expect(impure).toEqual([]);
  });
});

describe('a file of the stores', () => {
  test('speaks drizzle or SQL, not both', () => {
    const stores = program.filter(({ file }) => layerOf(table, file)?.name === 'stores');
    const mixed = stores
      .filter((source) => [speaksDrizzle, speaksSql].every((speaks) => places([source], speaks).length > 0))
      .map(({ file }) => file);
    expect(mixed).toEqual([]);
  });

  test('would be found to speak either', () => {
    const said = (text: string): boolean[] => {
      const tree = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
      return [speaksDrizzle, speaksSql].map(
        (speaks) => places([{ file: 'a.ts', text, tree }], speaks).length > 0,
      );
    };
    expect(said('await tx.db.select().from(events)')).toEqual([true, false]);
    expect(said('this.#orm.insert(tasks).values(row).prepare()')).toEqual([true, false]);
    expect(said("await tx.client.query('select 1')")).toEqual([false, true]);
    expect(said("sqlite.prepare<[], number>('SELECT 1').pluck()")).toEqual([false, true]);
    expect(said('await tx.db.execute(sql`select 1`)')).toEqual([false, true]);
    expect(said('group.write(() => events.update(1)); /x/.exec(text); router.query(name)')).toEqual([
      false,
      false,
    ]);
  });
});

describe('no file', () => {
  test('is longer than the limit', () => {
    const long = program.filter((source) => source.text.trimEnd().split('\n').length > MAX_LINES);
    expect(long.map((source) => source.file)).toEqual([]);
  });

  test('but config.ts reads the environment', () => {
    const outside = program.filter((source) => path.posix.basename(source.file) !== 'config.ts');
    expect(places(outside, readsEnvironment)).toEqual([]);
  });

  test('uses any', () => {
    expect(places(all, (node) => node.kind === ts.SyntaxKind.AnyKeyword)).toEqual([]);
  });

  test('says two languages but in a catalogue, where they stand side by side', () => {
    expect(
      places(
        all.filter(({ file }) => topLevelOf(file) !== 'test'),
        saysByItself,
      ),
    ).toEqual([]);
  });

  test('takes apart what a class is given, to keep it in a field for each part', () => {
    expect(places(program, copiesAPart)).toEqual([]);
  });

  test('hands out what its constructor has not made yet', () => {
    expect(
      places(
        program,
        (node) =>
          (ts.isCallExpression(node) || ts.isNewExpression(node)) &&
          (node.arguments ?? []).some((one) => one.kind === ts.SyntaxKind.ThisKeyword) &&
          ts.findAncestor(node, ts.isFunctionLike)?.kind === ts.SyntaxKind.Constructor,
      ),
    ).toEqual([]);
  });

  test('silences the compiler without a reason', () => {
    const silenced = all.flatMap((source) =>
      [...source.text.matchAll(/^\s*(?:\/\/|\/\*+)\s*@ts-(ignore|nocheck|expect-error)(.*)$/gm)]
        .filter(
          ([, directive, reason = '']) =>
            directive !== 'expect-error' || reason.replace(/[^\p{L}]/gu, '').length < 10,
        )
        .map(([line]) => `${source.file}: ${line.trim()}`),
    );
    expect(silenced).toEqual([]);
  });

  test('cites what the design page does not say', () => {
    const page = readFileSync(path.join(ROOT, 'common/DESIGN.md'), 'utf8');
    const headings = new Set([...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading));
    const cited = all.flatMap(({ file, text }) =>
      [...text.matchAll(/DESIGN\.md,\s(?:\s*(?:\*|\/\/)\s)?"([^"]+)"/g)].map(([, heading = '']) => ({
        file,
        heading: heading.replace(/\s*\n\s*(?:\*|\/\/)\s*/g, ' '),
      })),
    );
    expect(cited.length).toBeGreaterThan(50);
    expect(cited.filter(({ heading }) => !headings.has(heading))).toEqual([]);
    expect(all.filter(({ text }) => /design §/.test(text)).map(({ file }) => file)).toEqual([
      'test/architecture.test.ts',
    ]);
  });

  test('swallows an error in silence', () => {
    // A comment that says why counts as an answer.
    expect(places(all, (node) => ts.isCatchClause(node) && /^\{\s*\}$/.test(node.block.getText()))).toEqual(
      [],
    );
  });
});

/**
 * Sentences of a language in an object, a list or functions of their own, or an object modelled on that of
 * the other language, where `sentences()` belongs. A single text as `{ en: '…', zh: '…' }` is none.
 */
function saysByItself(node: ts.Node): boolean {
  const languages = new Set(['en', 'zh']);
  if (ts.isVariableDeclaration(node))
    return (
      node.type !== undefined && ts.isTypeQueryNode(node.type) && languages.has(node.type.exprName.getText())
    );
  if (!ts.isObjectLiteralExpression(node)) return false;
  const own = node.properties.filter((one) => languages.has(one.name?.getText() ?? ''));
  return (
    own.length === languages.size &&
    own.some(
      (one) =>
        ts.isMethodDeclaration(one) ||
        (ts.isPropertyAssignment(one) &&
          (ts.isObjectLiteralExpression(one.initializer) ||
            ts.isArrayLiteralExpression(one.initializer) ||
            ts.isArrowFunction(one.initializer))),
    )
  );
}

/**
 * `this.#clock = options.clock` in a constructor, where the object could be kept whole as `this.#options`. A
 * field that changes later has its beginning from there, and one with a default is made.
 */
function copiesAPart(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return false;
  const { parent: statement } = node;
  if (!ts.isExpressionStatement(statement) || !ts.isBlock(statement.parent)) return false;
  const { parent: maker } = statement.parent;
  if (!ts.isConstructorDeclaration(maker)) return false;
  const { left, right } = node;
  if (!ts.isPropertyAccessExpression(left) || !ts.isPrivateIdentifier(left.name)) return false;
  const given = maker.parameters.some(
    ({ name, type }) =>
      /(?:Options|Parts|Base|Ports)$/.test(type?.getText() ?? '') &&
      (ts.isObjectBindingPattern(name)
        ? name.elements.some((one) => !one.initializer && one.name.getText() === right.getText())
        : ts.isPropertyAccessExpression(right) && right.expression.getText() === name.getText()),
  );
  const writes = maker.parent
    .getText()
    .match(new RegExp(`\\${left.name.text}\\b\\s*(?:=(?!=)|[-+|&?*/]+=|\\+\\+|--)`, 'g'));
  const field = maker.parent.members.find((one) => one.name?.getText() === left.name.text);
  const makes = field !== undefined && ts.isPropertyDeclaration(field) && field.initializer !== undefined;
  return given && !makes && writes?.length === 1;
}

/** A name of a function that something in front of its declaration uses. */
function usedBeforeMade(node: ts.Node): boolean {
  if (!ts.isIdentifier(node) || !ts.isBindingName(node)) return false;
  let declared: ts.Node = node.parent;
  while (ts.isBindingElement(declared) || ts.isObjectBindingPattern(declared)) declared = declared.parent;
  if (!ts.isVariableDeclaration(declared) || !isNameOf(node)) return false;
  const { parent: statement } = declared.parent;
  if (!ts.isVariableStatement(statement) || !ts.isBlock(statement.parent)) return false;
  const block = statement.parent;
  let used = false;
  visit(block, (other) => {
    if (ts.isIdentifier(other) && other.text === node.text && other.pos < node.pos && isUse(other, block))
      used = true;
  });
  return used;
}

const isNameOf = (node: ts.Identifier): boolean =>
  (ts.isVariableDeclaration(node.parent) || ts.isBindingElement(node.parent)) && node.parent.name === node;

/** Whether a name stands for the variable of a block: it names no member and no parameter. */
function isUse(node: ts.Identifier, block: ts.Block): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  if (ts.isTypeNode(parent) || ts.isPropertySignature(parent) || ts.isBindingElement(parent)) return false;
  for (let up: ts.Node = parent; up !== block; up = up.parent)
    if (ts.isFunctionLike(up) && up.parameters.some(({ name }) => namesIn(name).includes(node.text)))
      return false;
  return true;
}

const namesIn = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((one) => (ts.isBindingElement(one) ? namesIn(one.name) : []));

/** `db.select()`, `orm.update(table)` and their like. */
function speaksDrizzle(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression: on } = node.expression;
  return (
    /^(select|selectDistinct|selectDistinctOn|insert|update|delete|\$count)$/.test(name.text) &&
    /(^|[.#])(db|orm)$/.test(on.getText())
  );
}

/** A statement written out: handed to a connection, or to drizzle as it is. */
function speaksSql(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression: on } = node.expression;
  const [first] = node.arguments;
  if (name.text === 'query') return /(client|pool)$/.test(on.getText());
  if (name.text === 'prepare') return first !== undefined;
  if (name.text === 'exec') return /(^|[.#])(sqlite|db|main|target)$/.test(on.getText());
  return (
    /^(execute|run|all|get|values)$/.test(name.text) &&
    /(^|[.#])(db|orm)$/.test(on.getText()) &&
    first !== undefined
  );
}

function readsEnvironment(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node))
    return node.name.text === 'env' && node.expression.getText() === 'process';
  if (ts.isElementAccessExpression(node)) return node.expression.getText() === 'process';
  if (ts.isVariableDeclaration(node)) return node.initializer?.getText() === 'process';
  return (
    ts.isImportDeclaration(node) &&
    /^['"](node:)?process['"]$/.test(node.moduleSpecifier.getText()) &&
    /\benv\b/.test(node.importClause?.getText() ?? '')
  );
}
