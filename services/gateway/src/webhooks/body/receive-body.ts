import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { WireError } from '@mneme/contracts';
import { CallerGoneError } from '../../http/failure.ts';
import { ReceivedBytes } from '../intake/received-bytes.ts';

/** How much more than what comes out may go into a decompressor: some data grow when they are compressed. */
const compressionSlack = 64 * 1_024;

/**
 * Reads a body, decompressed, and stops as soon as it is too large: what it would have become is never made. What comes
 * after that is thrown away by the server, until the request ends or takes too long.
 * @throws WireError 413 when it is larger than `maxBytes`, 415 when its encoding is unknown, 400 when it cannot be
 * decompressed
 * @throws CallerGoneError when the connection ends before the body
 */
export async function receiveBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const decompressor = decompressorFor(request.headers['content-encoding']);
  if (decompressor) return decompressed(request, decompressor, maxBytes);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  return collect(request, maxBytes);
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
  const count = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > maxBytes + compressionSlack) stop(tooLarge());
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
  const take = (piece: Buffer) => {
    if (!received.add(piece)) reject(tooLarge());
  };
  // Closing also follows the end; an error that nobody gets to see would cost more than all the rest.
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

function tooLarge(): WireError {
  return new WireError({ status: 413, code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than allowed' });
}

function malformed(cause: unknown): WireError {
  const message = 'The body cannot be decompressed by its content encoding';
  return new WireError({ status: 400, code: 'BAD_REQUEST', message }, { cause });
}
