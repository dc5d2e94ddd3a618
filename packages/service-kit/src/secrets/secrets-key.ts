import { z } from 'zod';

const hexForm = /^[\da-f]{64}$/i;
const base64Form = /^[A-Za-z\d+/_-]{43}=?$/;

/** `SECRETS_KEY` in the environment: 32 bytes as 64 hexadecimal digits, or as base64; comes out as the bytes. */
export const secretsKey = z
  .string()
  .refine((text) => hexForm.test(text) || base64Form.test(text), {
    error: 'must be 32 bytes, as 64 hexadecimal digits or as base64 (openssl rand -base64 32 makes one)',
  })
  .transform((text): Uint8Array => Buffer.from(text, hexForm.test(text) ? 'hex' : 'base64'));
