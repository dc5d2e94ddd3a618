import { maxBodyValues, WireError } from '@mneme/contracts';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { HeldBodies } from './held-bodies.ts';
import { receiveBody } from './receive-body.ts';
import { InvalidRequestError } from './validation.ts';

/** How many levels of lists and objects a body may have; no schema has more than five. */
export const maxDepth = 1_000;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
// The code of each end is that of its start plus two.
const [listStart, listEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

export interface BodyDeps {
  /** How many bytes a body may have, decompressed. */
  readonly bodyLimitBytes: number;
  readonly heldBodies: HeldBodies;
}

/**
 * Checks the content type, then reads the body.
 * @param owner for whom the memory that the body takes is counted
 */
export function readBody(
  { bodyLimitBytes, heldBodies }: BodyDeps,
  owner: (response: Response) => string,
): RequestHandler[] {
  const receive: RequestHandler = async (request, response, next) => {
    const limits = { maxBytes: bodyLimitBytes, heldBodies, owner: owner(response) };
    request.body = await receiveBody(request, response, limits);
    next();
  };
  return [requireJson, receive];
}

/**
 * Takes the bytes that `readBody` has read; undefined without a body. The request has them no more: it lasts as long as its
 * connection, until the next request.
 */
export function takeBody(request: Request): Buffer | undefined {
  const { body } = request;
  request.body = undefined;
  return Buffer.isBuffer(body) && body.length > 0 ? body : undefined;
}

/**
 * Parses the body.
 * @throws InvalidRequestError when the body is not JSON in UTF-8, or has too many levels or values
 */
export function parseBody(bytes: Buffer | undefined): unknown {
  if (!bytes) return undefined;
  const excess = excessOf(bytes);
  if (excess) throw excessiveJson(excess);
  try {
    return JSON.parse(strictUtf8.decode(bytes));
  } catch {
    throw invalidJson;
  }
}

const invalidJson = new InvalidRequestError([{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }]);
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function requireJson(request: Request, _response: Response, next: NextFunction): void {
  const type = request.headers['content-type'];
  if (type === undefined && !hasBody(request)) {
    next();
    return;
  }
  const [mediaType = '', ...parameters] = (type ?? '').toLowerCase().split(';');
  if (!/^application\/([\w.+-]+\+)?json$/.test(mediaType.trim())) {
    throw unsupported('The content type must be application/json');
  }
  const charset = parameters.map((parameter) => /^charset\s*=\s*"?([^"\s]*)"?$/.exec(parameter.trim())?.[1]);
  if (charset.some((name) => name !== undefined && name !== 'utf-8' && name !== 'utf8')) {
    throw unsupported('The charset must be utf-8');
  }
  next();
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function unsupported(message: string): WireError {
  return new WireError({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message });
}

/**
 * Checks the number of levels and values of JSON text. `JSON.parse` needs 1.5 s for 5 MiB of brackets, and a million values
 * take hundreds of megabytes, while no other request is answered. This reads each byte once, allocates nothing, and also
 * works on text that is not JSON.
 * @returns what is exceeded, or undefined
 */
export function excessOf(json: Uint8Array): 'depth' | 'values' | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) {
      at = endOfString(json, at);
    } else if (byte === comma) {
      values += 1;
    } else if (byte === listStart || byte === objectStart) {
      depth += 1;
      // The first value; the others have commas. A space in an empty list or object counts as a value.
      if (json[at + 1] !== byte + 2) values += 1;
    } else if (byte === listEnd || byte === objectEnd) {
      depth -= 1;
    }
    if (depth > maxDepth) return 'depth';
    if (values > maxBodyValues) return 'values';
  }
  return undefined;
}

function excessiveJson(excess: 'depth' | 'values'): InvalidRequestError {
  if (excess === 'depth') {
    const msg = `JSON should have at most ${maxDepth} levels`;
    return new InvalidRequestError([{ loc: ['body'], msg, type: 'too_deep' }]);
  }
  return new InvalidRequestError([
    { loc: ['body'], msg: `JSON should have at most ${maxBodyValues} values`, type: 'too_long' },
  ]);
}

/** @param start the index of the opening quote @returns that of the closing one */
export function endOfString(json: Uint8Array, start: number): number {
  for (let at = json.indexOf(quote, start + 1); at >= 0; at = json.indexOf(quote, at + 1)) {
    let escapes = 0;
    while (json[at - escapes - 1] === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return json.length;
}
