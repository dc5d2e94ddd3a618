import { z } from 'zod';
import { type ErrorCode, errorCodes } from '../errors.ts';
import { component } from './component.ts';

const problemCodes: readonly ErrorCode[] = errorCodes.filter((code) => code !== 'UNPROCESSABLE');

/** RFC 9457 problem details: every error except 422. */
export const problemSchema = z
  .looseObject({
    type: z.string().meta({ description: 'URI of the problem type; `about:blank` for a plain HTTP status' }),
    title: z.string().meta({ description: 'The name of the HTTP status' }),
    status: z.int(),
    detail: z.string().meta({ description: 'Human-readable explanation, same as `message`' }),
    code: z.enum(problemCodes).meta({ description: 'Stable error code for programs' }),
    message: z.string(),
    request_id: z.string().meta({
      description:
        'The `X-Request-Id` of this response, or, with `Idempotency-Replayed`, of the first one; include it when you ask for support',
    }),
  })
  .meta({ id: 'Problem', description: 'An error (RFC 9457)' });
export type Problem = z.infer<typeof problemSchema>;

const validationErrorSchema = component('ValidationError', {
  loc: z.array(z.union([z.string(), z.int()])).meta({
    description: '`body`, `query` or `path`, followed by the path to the value',
    example: ['body', 'items', 0, 'content'],
  }),
  msg: z.string().meta({ description: 'Human-readable explanation' }),
  type: z.string().meta({ description: 'Stable error type for programs', example: 'missing' }),
});
export type ValidationError = z.infer<typeof validationErrorSchema>;

export const validationProblemSchema = component(
  'HTTPValidationError',
  { detail: z.array(validationErrorSchema) },
  { description: 'The request does not match the schema' },
);
