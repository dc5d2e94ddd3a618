import type { UnknownFields, ValidationError } from '@mneme/contracts';
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { type Location, maxFaults } from './validation.ts';

/** A field of a body, or a parameter of a query string, that its schema does not have. */
export interface UnknownField {
  readonly path: readonly (string | number)[];
  /** The fields that may stand there. */
  readonly known: readonly string[];
  /** The fields of the objects around it, without those that it is in. */
  readonly outer: readonly string[];
}

/** How much of a name is compared and repeated, in characters. */
const maxNameLength = 64;

/** Finds the fields of a value that the schema does not have, 100 at most. */
export function findUnknownFields(schema: z.ZodType | undefined, value: unknown): UnknownField[] {
  return schema ? unknownIn(schema, value, { path: [], outer: [] }).take(maxFaults).toArray() : [];
}

type Place = Pick<UnknownField, 'path' | 'outer'>;

function* unknownIn(schema: z.ZodType, value: unknown, { path, outer }: Place): Generator<UnknownField> {
  if (typeof value !== 'object' || value === null) return;
  const inner = withoutWrappers(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      yield* unknownIn(inner.element as z.ZodType, each, { path: [...path, index], outer });
    }
  }
  if (!(inner instanceof z.ZodObject) || Array.isArray(value)) return;
  const known = Object.keys(inner.shape);
  for (const [name, each] of Object.entries(value)) {
    if (!Object.hasOwn(inner.shape, name)) yield { path: [...path, name], known, outer };
    else
      yield* unknownIn(inner.shape[name], each, { path: [...path, name], outer: [...outer, ...without(name, known)] });
  }
}

function without(name: string, names: readonly string[]): string[] {
  return names.filter((each) => each !== name);
}

/** The schema of a value that is there, without what makes it optional or transforms it. */
function withoutWrappers(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return withoutWrappers(schema.unwrap() as z.ZodType);
  }
  return schema instanceof z.ZodPipe ? withoutWrappers(schema.in as z.ZodType) : schema;
}

export function isRefused({ path, known, outer }: UnknownField, policy: UnknownFields): boolean {
  if (policy !== 'refuse-misspelt') return policy === 'refuse';
  const name = shortened(String(path.at(-1)));
  return (meantField(name, known) ?? outerField(name, outer)) !== undefined;
}

/** The fault of an unknown field or parameter, with the one that was probably meant. */
export function unknownFieldFault(location: Location, { path, known, outer }: UnknownField): ValidationError {
  const name = shortened(String(path.at(-1)));
  const what = location === 'query' ? 'parameter' : 'field';
  return {
    loc: [location, ...path.slice(0, -1), name],
    msg: `Unknown ${what} '${name}'. ${hint(name, { known, outer })}`,
    type: 'extra_forbidden',
  };
}

function hint(name: string, { known, outer }: Pick<UnknownField, 'known' | 'outer'>): string {
  const meant = meantField(name, known);
  if (meant !== undefined) return `Did you mean '${meant}'?`;
  const misplaced = outerField(name, outer);
  return misplaced === undefined
    ? `Known fields: ${known.join(', ')}`
    : `'${misplaced}' is a field of the whole request, not of its parts`;
}

/**
 * The field of an object around it that a name means; undefined if it is none of them. Only the case of letters and `_` may
 * differ: a message with its `model` is not one with a misplaced `mode`.
 */
function outerField(name: string, outer: readonly string[]): string | undefined {
  return outer.find((each) => plain(each) === plain(name));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/** The known field that a name misspells; undefined if it is none of them. */
function meantField(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const nearest = closest(name.toLowerCase(), known);
  const changes = distance(name.toLowerCase(), nearest);
  // A name of one letter has nothing in common with another one.
  const isMisspelt = changes < nearest.length && changes <= Math.max(1, Math.floor(nearest.length / 3));
  return isMisspelt ? nearest : undefined;
}

/** How many names a header lists. */
const maxNames = 20;

/** The header that tells a caller which fields had no effect; none if all had. */
export function ignoredFieldsHeader(fields: readonly UnknownField[]): Record<string, string> {
  if (fields.length === 0) return {};
  // Percent-encoded, because a name may have any characters and a header may not.
  const names = fields.slice(0, maxNames).map(({ path }) => path.map((part) => encoded(String(part))).join('.'));
  return { 'Mneme-Ignored-Fields': [...names, ...(fields.length > maxNames ? ['...'] : [])].join(', ') };
}

function encoded(name: string): string {
  return encodeURIComponent(shortened(name));
}

function shortened(name: string): string {
  return name.slice(0, maxNameLength).toWellFormed();
}
