import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { WireError } from '@mneme/contracts';
import { CallerGoneError, tooLarge } from '../../errors.ts';

/** How many more bytes than the limit may go into a decompressor, because some data grow when they are compressed. */
const compressionSlack = 64 * 1_024;

/**
 * Reads a body, decompressed, and stops as soon as it is too large, or is announced to be: the rest is never decompressed.
 * The server discards the rest of the request.
 * @throws WireError 413 when it is larger than `maxBytes`, 415 when its encoding is unknown, 400 when it cannot be
 * decompressed
 * @throws CallerGoneError when the connection ends before the body does
 */
export async function receiveBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (request.destroyed) throw gone();
  const decompressor = decompressorFor(request.headers['content-encoding']);
  const maxSentBytes = decompressor ? maxBytes + compressionSlack : maxBytes;
  if (Number(request.headers['content-length'] ?? 0) > maxSentBytes) throw bodyTooLarge();
  return decompressor ? decompressed(request, decompressor, maxBytes) : collect(request, maxBytes);
}

function decompressorFor(encoding = 'identity'): Transform | undefined {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default: {
      const message = 'The content encoding is not supported; send identity, gzip, deflate or br';
      throw new WireError({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message });
    }
  }
}

async function decompressed(request: IncomingMessage, decompressor: Transform, maxBytes: number): Promise<Buffer> {
  let bytes = 0;
  const stop = (error: Error) => decompressor.destroy(error);
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes + compressionSlack) stop(bodyTooLarge());
  };
  const cutOff = () => {
    if (!request.complete) stop(gone());
  };
  request.on('data', count).once('error', cutOff).once('close', cutOff).pipe(decompressor);
  try {
    return await collect(decompressor, maxBytes);
  } catch (error) {
    throw error instanceof WireError || error instanceof CallerGoneError ? error : malformed(error);
  } finally {
    request.off('data', count).off('close', cutOff).unpipe(decompressor).resume();
    decompressor.destroy();
  }
}

async function collect(source: Readable, maxBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const received = new ReceivedBytes(maxBytes);
  const take = (chunk: Buffer) => {
    if (!received.add(chunk)) reject(bodyTooLarge());
  };
  // The source also closes after its end; making an error for each of these would cost more than the rest of the function.
  const cutOff = () => {
    if (!source.readableEnded) reject(gone());
  };
  source.on('data', take).once('end', () => resolve(received.bytes()));
  source.once('error', reject).once('close', cutOff);
  try {
    return await promise;
  } catch (error) {
    throw isReset(error) ? gone() : error;
  } finally {
    source.off('data', take).off('close', cutOff);
  }
}

function isReset(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ECONNRESET';
}

function gone(): CallerGoneError {
  return new CallerGoneError('The caller has gone before the end of the body');
}

function bodyTooLarge(): WireError {
  return tooLarge('The body is larger than allowed');
}

function malformed(cause: unknown): WireError {
  const message = 'The body cannot be decompressed by its content encoding';
  return new WireError({ status: 400, code: 'BAD_REQUEST', message }, { cause });
}

/**
 * Collects bytes up to a limit. Many small chunks take no more than twice the memory of their bytes; the announced length
 * is not trusted.
 */
class ReceivedBytes {
  readonly #maxBytes: number;
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @returns false when it would exceed the limit; then the chunk is not kept */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    if (length > this.#maxBytes) return false;
    if (this.#length === 0) {
      this.#buffer = chunk;
    } else {
      this.#makeRoomFor(length);
      chunk.copy(this.#buffer, this.#length);
    }
    this.#length = length;
    return true;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #makeRoomFor(length: number): void {
    if (this.#buffer.length >= length) return;
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#maxBytes, Math.max(length, this.#length * 2)));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
