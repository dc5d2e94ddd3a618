import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { WireError } from '@mneme/contracts';
import { CallerGoneError, tooLarge } from '../../errors.ts';
import type { HeldBodies, HeldBody } from './held-bodies.ts';

/** How many more bytes than the limit may be sent compressed, because some data grow when they are compressed. */
const compressionSlack = 64 * 1_024;

export interface BodyLimits {
  /** How many bytes it may have, decompressed. */
  readonly maxBytes: number;
  /** Where it counts until the request is answered, and for whom. */
  readonly heldBodies: HeldBodies;
  readonly owner: string;
}

/**
 * Reads a body, and stops as soon as it is too large, or is announced to be. It is decompressed when all of it has come, so
 * that a caller who stops sending takes no more memory than was sent. The server discards the rest of the request.
 * @throws WireError 413 when it is larger than `maxBytes`, 415 when its encoding is unknown, 400 when it cannot be
 * decompressed, 503 when all bodies together take too much memory
 * @throws CallerGoneError when the connection ends before the body does
 */
export async function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, heldBodies, owner }: BodyLimits,
): Promise<Buffer> {
  if (request.destroyed || response.closed) throw gone();
  const createDecompressor = decompressorFor(request.headers['content-encoding']);
  const maxSentBytes = createDecompressor ? maxBytes + compressionSlack : maxBytes;
  if (Number(request.headers['content-length'] ?? 0) > maxSentBytes) throw bodyTooLarge();
  const held = heldBodies.begin(owner);
  response.once('close', () => held.release());
  try {
    const sent = await collect(request, { maxBytes: maxSentBytes, held, besides: 0 });
    held.endReceiving();
    if (!createDecompressor) return sent;
    const collecting = { maxBytes, held, besides: sent.length };
    return await held.decompress(() => decompress(sent, createDecompressor(), collecting));
  } catch (error) {
    held.release();
    throw error;
  }
}

function decompressorFor(encoding = 'identity'): (() => Transform) | undefined {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip;
    case 'deflate':
      return createInflate;
    case 'br':
      return createBrotliDecompress;
    default: {
      const message = 'The content encoding is not supported; send identity, gzip, deflate or br';
      throw new WireError({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message });
    }
  }
}

async function decompress(sent: Buffer, decompressor: Transform, collecting: Collecting): Promise<Buffer> {
  decompressor.end(sent);
  try {
    const bytes = await collect(decompressor, collecting);
    collecting.held.resize(bytes.buffer.byteLength);
    return bytes;
  } catch (error) {
    throw error instanceof WireError || error instanceof CallerGoneError ? error : malformed(error);
  } finally {
    decompressor.destroy();
  }
}

interface Collecting {
  readonly maxBytes: number;
  readonly held: HeldBody;
  /** How many bytes are held besides those that are collected. */
  readonly besides: number;
}

async function collect(source: Readable, { maxBytes, held, besides }: Collecting): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const received = new ReceivedBytes(maxBytes);
  void held.refused.then(reject);
  const take = (chunk: Buffer) => {
    try {
      received.add(chunk);
      held.resize(besides + received.capacity);
    } catch (error) {
      reject(error);
    }
  };
  // The source also closes after its end; making an error for each of these would cost more than the rest of the function.
  const cutOff = () => {
    if (!source.readableEnded) reject(gone());
  };
  const end = () => resolve(received.bytes());
  source.on('data', take).once('end', end).once('error', reject).once('close', cutOff);
  try {
    return await promise;
  } catch (error) {
    received.discard();
    throw isReset(error) ? gone() : error;
  } finally {
    source.off('data', take).off('end', end).off('close', cutOff);
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
  /** The memory of the buffer, unless that is the first chunk. */
  #own: ArrayBuffer | undefined;
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** How many bytes of memory it takes. */
  get capacity(): number {
    return this.#buffer.length;
  }

  /** @throws WireError 413 when it would exceed the limit; then the chunk is not kept */
  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#maxBytes) throw bodyTooLarge();
    if (this.#length === 0) {
      this.#buffer = chunk;
    } else {
      this.#makeRoomFor(length);
      chunk.copy(this.#buffer, this.#length);
    }
    this.#length = length;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Frees the memory at once: under a flood, more than is in use would wait for the garbage collector. */
  discard(): void {
    this.#own?.transfer(0);
    this.#own = undefined;
    this.#buffer = Buffer.alloc(0);
    this.#length = 0;
  }

  #makeRoomFor(length: number): void {
    if (this.#buffer.length >= length) return;
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#maxBytes, Math.max(length, this.#length * 2)));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#own?.transfer(0);
    this.#buffer = larger;
    this.#own = larger.buffer;
  }
}
