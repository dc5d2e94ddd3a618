import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Answer } from '../http/answers.ts';
import { keptAnswerSchema } from './record.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const purpose = 'mneme kept answer 2';

/** What the key of an answer is made of. Whoever reads a store lacks the first two. */
export interface SealingKey {
  /** Of the server, 32 bytes. */
  readonly secret: Uint8Array;
  /** As the caller sent it; it may be guessed, like the number of an order. */
  readonly idempotencyKey: string;
  /** The digest that names the request. */
  readonly salt: string;
}

/**
 * Encrypts an answer. It may hold an API key, which is to be in no store, and memories, of which nothing is to be left on
 * a disk after the answer has run out or was erased.
 */
export function sealAnswer(answer: Answer, key: SealingKey): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, bytesOf(key), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** @returns undefined when it was sealed with another key, as by a gateway with another secret, or has been changed */
export function openAnswer(bytes: Uint8Array, key: SealingKey): Answer | undefined {
  try {
    const decipher = createDecipheriv(algorithm, bytesOf(key), bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const opened = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
    return keptAnswerSchema.parse(JSON.parse(opened.toString('utf8')));
  } catch {
    return undefined;
  }
}

function bytesOf({ secret, idempotencyKey, salt }: SealingKey): Uint8Array {
  const secrets = Buffer.concat([secret, Buffer.from(idempotencyKey)]);
  return new Uint8Array(hkdfSync('sha256', secrets, salt, purpose, 32));
}
