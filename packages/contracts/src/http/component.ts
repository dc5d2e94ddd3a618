import { z } from 'zod';

/** An object that the OpenAPI document describes once, under a name. @param more such as a description or an example */
export function component<Fields extends z.ZodRawShape>(id: string, fields: Fields, more: z.core.GlobalMeta = {}) {
  return z.object(fields).meta({ id, ...more });
}
