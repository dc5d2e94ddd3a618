import { hkdfSync } from 'node:crypto';
import { openBytes, sealBytes } from '@mneme/service-kit';
import { z } from 'zod';
import type { Answer } from '../http/answers.ts';

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
  return sealBytes(bytesOf(key), JSON.stringify(answer));
}

/** @returns undefined when the answer was sealed with another key, for example by a gateway with another secret, or was changed */
export function openAnswer(bytes: Uint8Array, key: SealingKey): Answer | undefined {
  try {
    return answerSchema.parse(JSON.parse(openBytes(bytesOf(key), bytes)));
  } catch {
    return undefined;
  }
}

function bytesOf({ secret, idempotencyKey, salt }: SealingKey): Uint8Array {
  const secrets = Buffer.concat([secret, Buffer.from(idempotencyKey)]);
  return new Uint8Array(hkdfSync('sha256', secrets, salt, purpose, 32));
}
