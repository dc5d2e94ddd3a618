import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Answer } from '../http/answers.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const purpose = 'mneme kept answer 2';

const answerSchema = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

/** What the encryption key of an answer is derived from. The first two are not in the store. */
export interface SealingKey {
  /** Of the server, 32 bytes. */
  readonly secret: Uint8Array;
  /** As the caller sent it; it may be guessable, like an order number. */
  readonly idempotencyKey: string;
  /** The digest that identifies the request. */
  readonly salt: string;
}

/**
 * Encrypts an answer. It may contain an API key, which must not be in any store, and memories, which must not be readable
 * on a disk after the answer has expired or was erased.
 */
export function sealAnswer(answer: Answer, key: SealingKey): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, bytesOf(key), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** @returns undefined when the answer was sealed with another key, for example by a gateway with another secret, or was changed */
export function openAnswer(bytes: Uint8Array, key: SealingKey): Answer | undefined {
  try {
    const decipher = createDecipheriv(algorithm, bytesOf(key), bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const opened = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
    return answerSchema.parse(JSON.parse(opened.toString('utf8')));
  } catch {
    return undefined;
  }
}

function bytesOf({ secret, idempotencyKey, salt }: SealingKey): Uint8Array {
  const secrets = Buffer.concat([secret, Buffer.from(idempotencyKey)]);
  return new Uint8Array(hkdfSync('sha256', secrets, salt, purpose, 32));
}
