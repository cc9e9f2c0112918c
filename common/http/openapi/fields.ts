// Gives the members of request bodies their words, and each body an example.
import type { FieldTexts } from './field-texts.ts';

type Json = Record<string, unknown>;

/**
 * A form of which each member says what it means, also in the forms within it; what has words keeps them.
 * @param name of the schema; absent for one without a name
 */
export function withFieldTexts(form: Json, texts: FieldTexts, name?: string): Json {
  const inside = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(inside)
      : typeof value === 'object' && value !== null
        ? withFieldTexts(value as Json, texts, name)
        : value;
  const told: Json = {};
  for (const [key, value] of Object.entries(form))
    told[key] = KEPT.has(key)
      ? value
      : key === 'properties'
        ? members(value as Json, texts, name)
        : inside(value);
  return told;
}

/** Values, and no forms. */
const KEPT = new Set(['default', 'const', 'enum', 'examples', 'example', 'required']);

function members(properties: Json, texts: FieldTexts, name: string | undefined): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => {
      const form = withFieldTexts(value as Json, texts, name);
      const found = texts[`${name ?? ''}.${key}`] ?? texts[key];
      if (found === undefined) return [key, form];
      const [description, example] = typeof found === 'string' ? [found, undefined] : found;
      return [
        key,
        {
          ...form,
          ...(form.description === undefined ? { description } : {}),
          ...(hasValues(form) || example === undefined ? {} : { examples: [example] }),
        },
      ];
    }),
  );
}

const hasValues = ({ examples, enum: values, const: only, default: preset }: Json): boolean =>
  [examples, values, only, preset].some((one) => one !== undefined);

/**
 * The smallest body that the form takes: what must be there, each with its example.
 * @param schemas those that the form refers to, by their names
 */
export function exampleOf(form: Json, schemas: Readonly<Record<string, Json>>): unknown {
  const {
    $ref,
    examples,
    const: only,
    default: preset,
    enum: values,
    type,
  } = form as Json & {
    $ref?: string;
    examples?: unknown[];
    enum?: unknown[];
  };
  if (examples?.[0] !== undefined) return examples[0];
  for (const value of [only, preset, values?.[0]]) if (value !== undefined) return value;
  if ($ref !== undefined) return exampleOf(schemas[$ref.replace(/^.*\//, '')] ?? {}, schemas);
  const [first] = (form.anyOf ?? form.oneOf ?? form.allOf ?? []) as Json[];
  if (first !== undefined && type === undefined) return exampleOf(first, schemas);
  if (type === 'object') return membersOf(form, schemas);
  if (type === 'array') return Number(form.minItems ?? 0) > 0 ? [exampleOf(form.items as Json, schemas)] : [];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return form.minimum ?? 1;
  return type === 'string' ? 'text' : {};
}

function membersOf(form: Json, schemas: Readonly<Record<string, Json>>): Json {
  const properties = (form.properties ?? {}) as Record<string, Json>;
  const required = (form.required ?? []) as string[];
  // Of a change, of which nothing is needed, what stands first.
  const shown = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(shown.map((name) => [name, exampleOf(properties[name] ?? {}, schemas)]));
}

interface Media {
  schema: Json;
  example?: unknown;
}

/** Puts beside each JSON body of a call one that its form takes. */
export function giveExamples(
  paths: Readonly<Record<string, Json>>,
  schemas: Readonly<Record<string, Json>>,
): void {
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const { requestBody } = operation as { requestBody?: { content: Record<string, Media> } };
    const media = requestBody?.content['application/json'];
    if (media) media.example ??= exampleOf(media.schema, schemas);
  }
}
