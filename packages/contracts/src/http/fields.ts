import { z } from 'zod';
import { dateTimeForm, normaliseDateTime } from './date-time.ts';
import { utf8Length } from './utf8-length.ts';

/** Longest name that a caller may give to an agent, in characters (code points). */
export const maxAgentIdLength = 256;
/** Longest name that a caller may give to a document, in characters (code points). */
export const maxDocumentIdLength = 1_024;
/** The longest query of a search or a question, in bytes of UTF-8; it is embedded while the caller waits. */
export const maxQueryBytes = 8 * 1_024;
/** The longest context of a memory item, in bytes of UTF-8; each fact of the item has a copy of it. */
export const maxContextBytes = 16 * 1_024;
/** The longest background of an agent, in bytes of UTF-8. */
export const maxBackgroundBytes = 64 * 1_024;
/**
 * How many values a body may have, those of lists and objects and unknown ones included. The schema of a batch alone would
 * allow 700,000, but that many different names take most of a second to parse, in which no other request is answered.
 */
export const maxBodyValues = 100_000;
/** The most memory units that one search may visit. */
export const maxThinkingBudget = 10_000;

/**
 * The `type` of a fault in a 422 response, for checks that are not zod's own.
 *
 * @see ValidationError
 */
export function faultType(type: string): { params: { type: string } } {
  return { params: { type } };
}

/** Text that can be encoded as UTF-8. A lone surrogate cannot, and would be read back as another character. */
export const text = z.string().refine((value) => value.isWellFormed(), {
  error: 'Input should be a valid unicode string',
  ...faultType('string_unicode'),
});

/**
 * Text with a bound in bytes, as it is stored and sent. JSON Schema can only count characters, of which there are never
 * more than bytes.
 */
export function textOfBytes(maxBytes: number) {
  return text
    .refine((value) => value.length <= maxBytes && utf8Length(value) <= maxBytes, {
      error: `String should have at most ${maxBytes} bytes in UTF-8`,
      ...faultType('string_too_long'),
    })
    .meta({ maxLength: maxBytes });
}

/** Counts code points, as JSON Schema does: an emoji is one character. */
export function textUpTo(maxLength: number) {
  return text
    .refine((value) => hasAtMost(maxLength, value), {
      error: `String should have at most ${maxLength} characters`,
      ...faultType('string_too_long'),
    })
    .meta({ maxLength });
}

/** Whether a text has at most `maxLength` code points; a much longer one is not counted. */
function hasAtMost(maxLength: number, value: string): boolean {
  return value.length <= maxLength || (value.length <= 2 * maxLength && [...value].length <= maxLength);
}

function name(maxLength: number) {
  return textUpTo(maxLength)
    .refine((value) => value.length > 0, {
      error: 'String should have at least 1 character',
      ...faultType('string_too_short'),
    })
    .meta({ minLength: 1, maxLength });
}

/** No URL has them as a segment of its path: clients and proxies take `/api/agents/..` for `/api`. */
export function isDotSegment(value: string): boolean {
  return value === '.' || value === '..';
}

/** The fault of such a name where something may be stored under it. */
export const dotSegmentFault = {
  error: "Value error, '.' and '..' cannot be names, because no URL can have them in its path",
  ...faultType('value_error'),
};

function withoutDotSegments(schema: ReturnType<typeof name>) {
  return schema.refine((value) => !isDotSegment(value), dotSegmentFault);
}

export const agentId = name(maxAgentIdLength).meta({
  description: 'Name of the agent, chosen by you: 1 to 256 characters.',
  example: 'travel-assistant',
});

/** Of an agent that may be new; reads and deletions accept the names that earlier releases have stored. */
export const newAgentId = withoutDotSegments(agentId).meta({
  description: 'Name of the agent, chosen by you: 1 to 256 characters, and not `.` or `..`.',
});

/** The `agent_id` of a list that may be of a whole space. */
export const agentOfList = agentId
  .optional()
  .meta({ description: 'Only this agent. Default: all agents, or the agent that the key is bound to.' });

/** Description of an `agent_id` with a default. */
export const defaultAgent =
  'Name of the agent, chosen by you. Default: the agent that the key is bound to, else `default`.';

export const documentId = name(maxDocumentIdLength).meta({
  description: 'Name of the document, chosen by you: 1 to 1024 characters.',
  example: 'meeting-2024-03-01',
});

/** Of a document that may be new. */
export const newDocumentId = withoutDotSegments(documentId);

/** An id made by the server. UUIDs of every version are accepted; the parsed value is in lower case. */
export const uuid = z
  .string()
  .refine(isUuid, { error: 'Input should be a valid UUID', ...faultType('uuid_parsing') })
  .transform((value) => value.toLowerCase())
  .meta({ override: { type: 'string', format: 'uuid' }, example: '3b241101-e2bb-5255-8caf-4136c566a962' });

export function isUuid(value: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}

/** Identifies a fault of `integer`, which zod reports as one of a number. */
export const integerMessage = 'Input should be a valid integer';

/** A whole number in a body. */
export function integer(): z.ZodInt {
  return z.int({ error: integerMessage });
}

/** A date or date-time; parsed to ISO 8601 with the caller's offset. */
export const dateTime = text
  .transform((value, context) => {
    const normalised = normaliseDateTime(value);
    if (normalised !== undefined) return normalised;
    const message = `Input should be a valid ${dateTimeForm}`;
    context.issues.push({ code: 'custom', message, input: value, ...faultType('datetime_parsing') });
    return z.NEVER;
  })
  .meta({ override: { type: 'string', format: 'date-time' } });

/**
 * A whole number in a query string. By pattern, since `Number('1e3')`, `Number('0x10')` and `Number(' 1 ')` are whole
 * numbers too.
 */
export function queryInteger(options: { min: number; max: number; default: number; description: string }) {
  const { min, max, description } = options;
  return z
    .string()
    .refine((value) => /^-?\d+$/.test(value), {
      error: 'Input should be a valid integer, unable to parse string as an integer',
      ...faultType('int_parsing'),
    })
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(options.default)
    .meta({ description, override: { type: 'integer', minimum: min, maximum: max, default: options.default } });
}

/** `true` or `false` in a query string. */
export function queryBoolean(byDefault: boolean, description: string) {
  return z
    .string()
    .refine((value) => value === 'true' || value === 'false', {
      error: 'Input should be true or false',
      ...faultType('bool_parsing'),
    })
    .default(byDefault ? 'true' : 'false')
    .transform((value) => value === 'true')
    .meta({ description, override: { type: 'boolean', default: byDefault } });
}

/** Which part of a list to return. */
export const page = {
  limit: queryInteger({ min: 1, max: 1_000, default: 100, description: 'Maximum number of items' }),
  offset: queryInteger({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Number of items to skip',
  }),
};
