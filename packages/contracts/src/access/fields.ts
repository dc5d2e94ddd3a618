import { z } from 'zod';
import { faultType, integer, newAgentId, text, textUpTo } from '../http/fields.ts';
import { utf8Length } from '../http/utf8-length.ts';
import { maxScopesBytes, userIdPattern } from './schemas.ts';

/** Ids of records are integers of at most 15 digits, which no JSON reader rounds. */
const maxId = 999_999_999_999_999;

/** A name that users see: 1 to 255 characters after trimming, without control characters. */
export const title = text
  .transform((value) => value.trim())
  .refine((value) => value.length > 0, {
    error: 'String should have at least 1 character',
    ...faultType('string_too_short'),
  })
  .pipe(textUpTo(255))
  .refine((value) => !/\p{Cc}/u.test(value), {
    error: 'String should have no control characters',
    ...faultType('string_control_character'),
  })
  .meta({ override: { type: 'string', minLength: 1, maxLength: 255 } });

/** The id of a record in a path or query. By pattern, because `Number('1e3')` and `Number('0x10')` are integers too. */
export const idInUrl = z
  .string()
  .refine((value) => userIdPattern.test(value), {
    error: 'Input should be a valid integer greater than 0, unable to parse string as an integer',
    ...faultType('int_parsing'),
  })
  .transform(Number)
  .meta({ example: 1, override: { type: 'integer', minimum: 1, maximum: maxId } });

/** The id of a record in a body. */
export const recordId = integer().min(1).max(maxId);

export const scopes = z
  .array(textUpTo(255))
  .max(64)
  .transform((given) => [...new Set(given)])
  .refine((given) => utf8Length(JSON.stringify(given)) <= maxScopesBytes, {
    error: `The scopes should have at most ${maxScopesBytes} bytes together, as JSON`,
  })
  .meta({
    description:
      'What the key may do in the memory area: `memory:read`, `memory:write` (everything) or `*`. Others are kept and grant nothing. Together at most 4,096 bytes, as JSON.',
    example: ['memory:read'],
    override: { type: 'array', items: { type: 'string', maxLength: 255 }, maxItems: 64 },
  });

export const rateLimit = integer().min(1).max(1_000_000).meta({ description: 'Requests per 60 s' });

/** A number means the agent whose id is that number as text. */
export const boundAgent = z
  .union([newAgentId, integer().min(-maxId).max(maxId)], { error: 'Input should be a string, an integer or null' })
  .nullable()
  .meta({ description: 'The only agent that the key may access; null: any agent of the space' });
