import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Answer } from '../http/answer.ts';
import { keptAnswerSchema } from './record.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const purpose = 'mneme kept answer';

/**
 * Encrypts an answer with what only the caller has: the idempotency key, which is stored nowhere. So what stays on a
 * disk after an answer has run out, or was erased, says nothing.
 * @param secret the idempotency key; @param salt the digest that names the request
 */
export function sealAnswer(answer: Answer, secret: string, salt: string): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, keyOf(secret, salt), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** @throws Error when it was sealed with another secret or salt, or has been changed */
export function openAnswer(bytes: Uint8Array, secret: string, salt: string): Answer {
  const decipher = createDecipheriv(algorithm, keyOf(secret, salt), bytes.subarray(0, nonceBytes));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const opened = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
  return keptAnswerSchema.parse(JSON.parse(opened.toString('utf8')));
}

function keyOf(secret: string, salt: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, purpose, 32));
}
