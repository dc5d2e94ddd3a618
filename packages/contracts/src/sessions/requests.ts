import type { z } from 'zod';
import { component } from '../http/component.ts';
import { text } from '../http/fields.ts';

/** The longest token of an identity provider, in characters. */
const maxCredentialLength = 16_384;
/** How long a browser stays signed in at most, in days. */
export const maxSessionDays = 30;

export const signInSchema = component(
  'SignInRequest',
  {
    code: text.min(1).max(128).optional().meta({ description: 'From a sign-in link' }),
    credential: text
      .transform((value) => value.trim())
      .refine((value) => value.length > 0 && value.length <= maxCredentialLength, 'Paste a token or an API key')
      .optional()
      .meta({ description: 'The token of a user, or an API key', override: { type: 'string' } }),
  },
  { description: 'One of the two', example: { code: 'the code of a sign-in link' } },
).refine(({ code, credential }) => (code === undefined) !== (credential === undefined), {
  error: 'Send `code` or `credential`',
});
export type SignInRequest = z.output<typeof signInSchema>;
