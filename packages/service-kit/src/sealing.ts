import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A text was sealed with another key or for another purpose, or was changed. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError';
}

/** Encrypts texts at rest. */
export interface Sealing {
  /**
   * Seals a text with AES-256-GCM and a new nonce, so that the same text looks different every time.
   * @param purpose what the text is and whose; needed to open it, and not part of the result.
   * @returns printable ASCII.
   */
  seal(text: string, purpose: string): string;
  /** @throws UnsealError when the text was sealed with another key or for another purpose, or was changed. */
  open(sealed: string, purpose: string): string;
}

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** The version of the format. */
const form = 'v1.';

/** @param key of 32 bytes. */
export function createSealing(key: Uint8Array): Sealing {
  if (key.byteLength !== keyBytes) throw new RangeError(`A key for sealing has ${keyBytes} bytes`);
  return {
    seal: (text, purpose) => seal(key, text, purpose),
    open: (sealed, purpose) => {
      try {
        return open(key, sealed, purpose);
      } catch (cause) {
        throw new UnsealError('It cannot be opened: was it sealed with another SECRETS_KEY?', { cause });
      }
    },
  };
}

function seal(key: Uint8Array, text: string, purpose: string): string {
  return form + sealBytes(key, text, purpose).toString('base64url');
}

function open(key: Uint8Array, sealed: string, purpose: string): string {
  if (!sealed.startsWith(form)) throw new Error('It has an unknown form');
  return openBytes(key, Buffer.from(sealed.slice(form.length), 'base64url'), purpose);
}

/** Encrypts a text with AES-256-GCM: nonce, tag, ciphertext. @param purpose needed to open it; none unless given */
export function sealBytes(key: Uint8Array, text: string, purpose = ''): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose));
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), hidden]);
}

/** @throws Error when it was sealed with another key or for another purpose, or was changed */
export function openBytes(key: Uint8Array, bytes: Uint8Array, purpose = ''): string {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = [decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()];
  return Buffer.concat(text).toString('utf8');
}
