import { z } from 'zod';
import { faultType } from '../http/fields.ts';
import { utf8Length } from '../http/utf8-length.ts';

/** The most keys of the metadata of one item, and of a filter. */
const maxMetadataKeys = 16;
/** The longest key, in characters. */
const maxMetadataKeyLength = 64;
/** The largest metadata of one item, in bytes of its JSON in UTF-8; every unit of the item has a copy of it. */
const maxMetadataBytes = 2_048;
/** The most values that one key of a filter may be compared with. */
const maxFilterValues = 100;

const scalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type MetadataScalar = z.infer<typeof scalarSchema>;

/** What a caller attached to an item, as events and replies hold it. */
export const metadataSchema = z.record(z.string(), z.union([scalarSchema, z.array(z.string())]));
export type Metadata = z.infer<typeof metadataSchema>;

/** The same in a reply. */
export const repliedMetadata = metadataSchema
  .optional()
  .meta({ description: 'The metadata of the item, if it has any' });

/** What the metadata of a unit must have at one key. A list has a value if one of its entries is that value. */
const metadataConditionSchema = z.union([z.object({ in: z.array(scalarSchema) }), z.object({ exists: z.boolean() })]);
export type MetadataCondition = z.infer<typeof metadataConditionSchema>;
/** Conditions by key, all of which must hold. */
export const metadataFilterSchema = z.record(z.string(), metadataConditionSchema);
export type MetadataFilter = z.infer<typeof metadataFilterSchema>;

/** A fault of metadata: where it is, in words, and its type. */
type Fault = readonly [path: readonly string[], message: string, type: string];

/** Like a record of Zod, which passes over the key `__proto__`. */
const dictionary = z
  .unknown()
  .refine(isObject, { error: 'Input should be a valid dictionary', abort: true, ...faultType('dict_type') })
  .transform((value) => value as Record<string, unknown>);

/** Metadata in a request body, checked by one function, so that a fault is described once and in words. */
export const metadata = dictionary
  .superRefine((value, context) => report(metadataFaults(value), value, context))
  .transform((value) => value as Metadata)
  .meta({
    override: {
      type: 'object',
      maxProperties: maxMetadataKeys,
      propertyNames: { minLength: 1, maxLength: maxMetadataKeyLength },
      additionalProperties: {
        anyOf: [
          { type: ['string', 'number', 'boolean', 'null'] },
          { type: 'array', maxItems: maxMetadataBytes, items: { type: 'string' } },
        ],
      },
    },
    description:
      'Your own data about the item: at most 16 keys of up to 64 characters, 2048 bytes as JSON. Values are strings, ' +
      'numbers, booleans, null or lists of strings. Send integers beyond 2^53 - 1 as strings. Returned with every memory ' +
      'unit of the item; searches can filter by it.',
    example: { session: 'support-42', tags: ['billing', 'urgent'] },
  });

/** A filter in a request body; a plain value is parsed to a list of one. */
export const metadataFilter = dictionary
  .superRefine((value, context) => report(filterFaults(value), value, context))
  .transform((value): MetadataFilter => {
    const condition = (wanted: unknown) => (isObject(wanted) ? wanted : { in: [wanted] }) as MetadataCondition;
    return Object.fromEntries(Object.entries(value).map(([key, wanted]) => [key, condition(wanted)]));
  })
  .meta({
    override: {
      type: 'object',
      maxProperties: maxMetadataKeys,
      additionalProperties: {
        anyOf: [
          { type: ['string', 'number', 'boolean', 'null'] },
          { type: 'object', properties: { in: { type: 'array', maxItems: maxFilterValues } }, required: ['in'] },
          { type: 'object', properties: { exists: { type: 'boolean' } }, required: ['exists'] },
        ],
      },
    },
    description:
      'Only memory units whose metadata meet all conditions: `{"key": value}` (equal), `{"key": {"in": [...]}}` (any of ' +
      'at most 100) or `{"key": {"exists": true}}`. A list has a value if one of its entries is that value. Integers beyond ' +
      '2^53 - 1 are sent as strings.',
    example: { session: 'support-42', tags: { in: ['billing', 'refund'] } },
  });

function report(faults: Iterable<Fault>, input: unknown, context: z.RefinementCtx): void {
  for (const [path, message, type] of faults) {
    context.addIssue({ code: 'custom', message, path: [...path], input, ...faultType(type) });
  }
}

function metadataFaults(value: Record<string, unknown>): readonly Fault[] {
  const faults = [...keyFaults(value), ...valueFaults(value)];
  // Deep nesting, which is a fault, would exceed the stack of JSON.stringify.
  if (faults.length > 0) return faults;
  const bytes = utf8Length(JSON.stringify(value));
  if (bytes <= maxMetadataBytes) return [];
  return [[[], `Metadata should have at most ${maxMetadataBytes} bytes as JSON, not ${bytes}`, 'too_long']];
}

function* valueFaults(value: Record<string, unknown>): Iterable<Fault> {
  for (const [key, each] of Object.entries(value).slice(0, maxMetadataKeys)) {
    if (isInexact(each)) yield [[key], inexact, 'value_error'];
    if (isScalar(each) || (Array.isArray(each) && each.every((entry) => typeof entry === 'string'))) continue;
    yield [[key], 'Value should be a string, a number, a boolean, null or a list of strings', 'value_error'];
  }
  if (!Object.entries(value).flat(2).every(isWellFormed)) {
    yield [[], 'Input should be a valid unicode string', 'string_unicode'];
  }
}

function* filterFaults(value: Record<string, unknown>): Iterable<Fault> {
  yield* keyFaults(value);
  for (const [key, wanted] of Object.entries(value).slice(0, maxMetadataKeys)) {
    const message = conditionFault(wanted);
    if (message !== undefined) yield [[key], message, 'value_error'];
  }
}

function conditionFault(wanted: unknown): string | undefined {
  if (isScalar(wanted)) return isInexact(wanted) ? inexact : undefined;
  const [operator, ...others] = isObject(wanted) ? Object.entries(wanted) : [];
  const [name, operand] = operator ?? [];
  if (others.length === 0 && name === 'exists' && typeof operand === 'boolean') return undefined;
  if (others.length === 0 && name === 'in' && Array.isArray(operand) && operand.every(isScalar)) {
    const isBounded = operand.length >= 1 && operand.length <= maxFilterValues;
    if (!isBounded) return `The list of 'in' should have 1 to ${maxFilterValues} values, not ${operand.length}`;
    return operand.some(isInexact) ? inexact : undefined;
  }
  return 'Condition should be a value (string, number, boolean or null), {"in": [values]} or {"exists": true or false}';
}

function* keyFaults(value: Record<string, unknown>): Iterable<Fault> {
  const keys = Object.keys(value);
  if (keys.length > maxMetadataKeys) {
    yield [[], `Metadata should have at most ${maxMetadataKeys} keys, not ${keys.length}`, 'too_long'];
  }
  for (const key of keys.slice(0, maxMetadataKeys)) {
    if (key === '__proto__') yield [[key], 'The name of a key cannot be `__proto__`', 'value_error'];
    if (key !== '' && [...key.slice(0, 2 * maxMetadataKeyLength + 1)].length <= maxMetadataKeyLength) continue;
    yield [[key], `A key should have 1 to ${maxMetadataKeyLength} characters`, 'value_error'];
  }
}

const inexact = `Integers beyond 2^53 - 1 (${Number.MAX_SAFE_INTEGER}) cannot be kept exactly; send them as strings`;

/** `JSON.parse` takes several such integers for the same number. */
function isInexact(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** A lone surrogate cannot be encoded as UTF-8. */
function isWellFormed(value: unknown): boolean {
  return typeof value !== 'string' || value.isWellFormed();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): value is MetadataScalar {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
