import type { UnknownFields, ValidationError } from '@mneme/contracts';
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { type Location, maxFaults } from './validation.ts';

/** A field of a body, or a parameter of a query string, that its schema does not have. */
export interface UnknownField {
  readonly path: readonly (string | number)[];
  /** The fields that may stand there. */
  readonly known: readonly string[];
  /** The field of an object around it that its name means, if it has another value there. */
  readonly misplaced?: string | undefined;
}

/** How much of a name is compared and repeated, in characters. */
const maxNameLength = 64;

/** Finds the fields of a value that the schema does not have, 100 at most. */
export function findUnknownFields(schema: z.ZodType | undefined, value: unknown): UnknownField[] {
  return schema ? unknownIn(schema, value, { path: [], outer: [] }).take(maxFaults).toArray() : [];
}

interface Place {
  readonly path: readonly (string | number)[];
  /** The fields of the objects around it with their values, without those that it is in. */
  readonly outer: readonly (readonly [name: string, value: unknown])[];
}

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
  const fields = value as Readonly<Record<string, unknown>>;
  for (const [name, each] of Object.entries(fields)) {
    const inside = [...path, name];
    if (!Object.hasOwn(inner.shape, name)) {
      yield { path: inside, known, misplaced: misplacedField(name, each, outer) };
    } else if (typeof each === 'object') {
      const around = known.filter((other) => other !== name).map((other) => [other, fields[other]] as const);
      yield* unknownIn(inner.shape[name], each, { path: inside, outer: [...outer, ...around] });
    }
  }
}

/**
 * The field of an object around it that a name means. Only the case of letters and `_` may differ: a message with its `model` is
 * not one with a misplaced `mode`. One without a value, or with the same one, asks for nothing else than what is done.
 */
function misplacedField(name: string, value: unknown, outer: Place['outer']): string | undefined {
  if (value === null) return undefined;
  return outer.find(([other, known]) => plain(other) === plain(name) && known !== value)?.[0];
}

function plain(name: string): string {
  return name.slice(0, maxNameLength).toLowerCase().replaceAll('_', '');
}

/** The schema of a value that is there, without what makes it optional or transforms it. */
function withoutWrappers(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return withoutWrappers(schema.unwrap() as z.ZodType);
  }
  return schema instanceof z.ZodPipe ? withoutWrappers(schema.in as z.ZodType) : schema;
}

export function isRefused({ path, known, misplaced }: UnknownField, policy: UnknownFields): boolean {
  if (policy !== 'refuse-misspelt') return policy === 'refuse';
  return (meantField(shortened(String(path.at(-1))), known) ?? misplaced) !== undefined;
}

/** The fault of an unknown field or parameter, with the one that was probably meant. */
export function unknownFieldFault(location: Location, { path, known, misplaced }: UnknownField): ValidationError {
  const name = shortened(String(path.at(-1)));
  const what = location === 'query' ? 'parameter' : 'field';
  return {
    loc: [location, ...path.slice(0, -1), name],
    msg: `Unknown ${what} '${name}'. ${hint(name, { known, misplaced })}`,
    type: 'extra_forbidden',
  };
}

function hint(name: string, { known, misplaced }: Pick<UnknownField, 'known' | 'misplaced'>): string {
  const meant = meantField(name, known);
  if (meant !== undefined) return `Did you mean '${meant}'?`;
  return misplaced === undefined
    ? `Known fields: ${known.join(', ')}`
    : `'${misplaced}' is a field of the whole request, not of its parts`;
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
