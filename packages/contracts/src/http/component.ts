import { z } from 'zod';

/** A time in a reply; those of requests are read by `dateTime` of `fields.ts`. */
export const dateTime = z.string().meta({ format: 'date-time' });

/** An object that the OpenAPI document describes once, under a name. @param more such as a description or an example */
export function component<Fields extends z.ZodRawShape>(id: string, fields: Fields, more: z.core.GlobalMeta = {}) {
  return z.object(fields).meta({ id, ...more });
}
