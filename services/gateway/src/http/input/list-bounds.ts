import type { ValidationError } from '@mneme/contracts';
import { z } from 'zod';

/** How many items a list in a body may have. */
export interface ListBound {
  readonly name: string;
  readonly maxItems: number;
}

/**
 * Reads out of the schema of a body which lists it may have and how long they may be. A list is checked by its length
 * before its items are: a million faulty items would each become a fault, and take minutes.
 * @throws Error when a list has no bound
 */
export function listBoundsOf(schema: z.ZodType | undefined): readonly ListBound[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const { type, maxItems, anyOf = [] } = jsonSchemaOf(field as z.ZodType);
    const list = [{ type, maxItems }, ...anyOf].find((form) => form.type === 'array');
    if (!list) return [];
    if (list.maxItems === undefined) throw new Error(`The list ${name} in a body has no bound`);
    return [{ name, maxItems: list.maxItems }];
  });
}

interface JsonSchema {
  readonly type?: string | undefined;
  readonly maxItems?: number | undefined;
  readonly anyOf?: readonly JsonSchema[];
}

function jsonSchemaOf(field: z.ZodType): JsonSchema {
  return z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** The lists of a body that are too long. */
export function findLongLists(bounds: readonly ListBound[], body: unknown): ValidationError[] {
  if (typeof body !== 'object' || body === null) return [];
  return bounds.flatMap(({ name, maxItems }) => {
    const value = (body as Record<string, unknown>)[name];
    if (!Array.isArray(value) || value.length <= maxItems) return [];
    const msg = `List should have at most ${maxItems} items after validation, not ${value.length}`;
    return [{ loc: ['body', name], msg, type: 'too_long' }];
  });
}
