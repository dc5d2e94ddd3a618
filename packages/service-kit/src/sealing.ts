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
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose));
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return form + Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url');
}

function open(key: Uint8Array, sealed: string, purpose: string): string {
  if (!sealed.startsWith(form)) throw new Error('It has an unknown form');
  const bytes = Buffer.from(sealed.slice(form.length), 'base64url');
  const nonce = bytes.subarray(0, nonceBytes);
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag);
  const text = [decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()];
  return Buffer.concat(text).toString('utf8');
}
