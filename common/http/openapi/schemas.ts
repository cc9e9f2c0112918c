// The schemas of the description: one with a name stands once under `components.schemas` and is referred to.
import * as z from 'zod/mini';
import { described } from '../described.ts';
import type { Schema } from '../route.ts';
import type { FieldTexts } from './field-texts.ts';
import { withFieldTexts } from './fields.ts';

export type Json = Record<string, unknown>;
type Side = 'input' | 'output';

/** A reference whose name is settled when every schema has been seen. */
const UNSETTLED = /"#\/\$defs\/(input|output)\/([^"]+)"/g;
const DEFS = /"#\/\$defs\/([^"]+)"/g;

export class Schemas {
  readonly #texts: FieldTexts;
  #named = { input: new Map<string, string>(), output: new Map<string, string>() };

  constructor(texts: FieldTexts) {
    this.#texts = texts;
  }

  /** Answers may gain members, so that an answer's object is never described as closed. */
  of(schema: Schema, io: Side): Json {
    const {
      $schema: _dialect,
      $defs = {},
      ...form
    } = z.toJSONSchema(schema, {
      io,
      metadata: described,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        if (io === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties;
        withoutBoundsOfJson(jsonSchema);
        if (jsonSchema.example !== undefined && jsonSchema.type !== 'object')
          jsonSchema.examples = [jsonSchema.example];
        delete jsonSchema.example;
      },
    }) as Json & { $defs?: Record<string, Json> };
    for (const [name, made] of Object.entries($defs)) this.#keep(io, name, sided(made, io));
    return JSON.parse(sided(form, io)) as Json;
  }

  /** A form of which each member says what it means. @param name of the schema, where it has one */
  inWords(form: Json, name?: string): Json {
    return withFieldTexts(form, this.#texts, name);
  }

  /** The document with its references settled, and the schemas that they lead to. */
  settle(document: Json): { document: Json; schemas: Json } {
    const names = this.#names();
    const settled = (text: string): Json =>
      JSON.parse(
        text.replace(UNSETTLED, (_all, io: Side, id: string) => `"#/components/schemas/${names[io](id)}"`),
      ) as Json;
    const schemas: Json = {};
    for (const [id, text] of this.#named.output) schemas[names.output(id)] = settled(text);
    // What is sent and answered alike stands once, with the words of what is sent.
    for (const [id, text] of this.#named.input) schemas[names.input(id)] = this.inWords(settled(text), id);
    const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
    return { document: settled(JSON.stringify(document)), schemas: Object.fromEntries(sorted) };
  }

  #keep(io: Side, name: string, text: string): void {
    const known = this.#named[io].get(name);
    if (known !== undefined && known !== text) throw new Error(`two schemas are described as ${name}`);
    this.#named[io].set(name, text);
  }

  /**
   * What is sent and what is answered under one name differs in defaults: then the former is
   * `<name>Input`.
   */
  #names(): Record<Side, (id: string) => string> {
    const { input, output } = this.#named;
    const plain = (text: string | undefined): string | undefined =>
      text?.replace(UNSETTLED, (_all, _io, id: string) => `"#/$defs/${id}"`);
    const both = [...input.keys()].filter((id) => output.has(id));
    const differing = new Set(both.filter((id) => plain(input.get(id)) !== plain(output.get(id))));
    for (let before = -1; before !== differing.size;) {
      before = differing.size;
      for (const id of both)
        if ([...(input.get(id) ?? '').matchAll(UNSETTLED)].some(([, , part = '']) => differing.has(part)))
          differing.add(id);
    }
    return { output: (id) => id, input: (id) => (differing.has(id) ? `${id}Input` : id) };
  }
}

/** Every integer here is one that JSON carries exactly; only narrower bounds say something. */
function withoutBoundsOfJson(schema: Json): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

const sided = (form: Json, io: Side): string =>
  JSON.stringify(form).replace(DEFS, (_all, id: string) => `"#/$defs/${io}/${id}"`);
