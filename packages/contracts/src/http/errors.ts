import { z } from 'zod';
import { errorCodes } from '../errors.ts';

/** RFC 9457: every error but 422. */
export const problemSchema = z
  .looseObject({
    type: z
      .string()
      .meta({ description: 'A URI that names the kind of problem; `about:blank` for plain HTTP statuses' }),
    title: z.string().meta({ description: 'The name of the HTTP status' }),
    status: z.int(),
    detail: z.string().meta({ description: 'One sentence for people; the same as `message`' }),
    code: z.enum(errorCodes).meta({ description: 'A stable word for programs' }),
    message: z.string(),
    request_id: z.string().meta({ description: 'The `X-Request-Id` of this answer; quote it when you ask for help' }),
  })
  .meta({ id: 'Problem', description: 'An error (RFC 9457)' });
export type Problem = z.infer<typeof problemSchema>;

export const validationErrorSchema = z
  .object({
    loc: z.array(z.union([z.string(), z.int()])).meta({
      description: '`body`, `query` or `path`, then the way to the value',
      example: ['body', 'items', 0, 'content'],
    }),
    msg: z.string().meta({ description: 'What is wrong, for people' }),
    type: z.string().meta({ description: 'What is wrong, for programs', example: 'missing' }),
  })
  .meta({ id: 'ValidationError' });
export type ValidationError = z.infer<typeof validationErrorSchema>;

export const validationProblemSchema = z
  .object({ detail: z.array(validationErrorSchema) })
  .meta({ id: 'HTTPValidationError', description: 'The shape of the request is wrong' });
export type ValidationProblem = z.infer<typeof validationProblemSchema>;
