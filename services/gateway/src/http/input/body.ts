import { WireError } from '@mneme/contracts';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { excessOf } from './json-size.ts';
import { excessiveJson, invalidJson } from './validation.ts';

/** Reads the body as bytes, decompressed, at most `limitBytes` of them, after looking at its declared type. */
export function readBody(limitBytes: number): RequestHandler[] {
  return [requireJson, express.raw({ type: () => true, limit: limitBytes })];
}

/** The bytes that `readBody` read; undefined when there was no body. */
export function bodyBytes(request: Request): Buffer | undefined {
  return Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : undefined;
}

/**
 * Parses the body.
 * @throws InvalidRequestError when it is not JSON in UTF-8, or has too many levels or values
 */
export function parseBody(bytes: Buffer | undefined): unknown {
  if (!bytes) return undefined;
  const excess = excessOf(bytes);
  if (excess) throw excessiveJson[excess];
  try {
    return JSON.parse(strictUtf8.decode(bytes));
  } catch {
    throw invalidJson;
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function requireJson(request: Request, _response: Response, next: NextFunction): void {
  const type = request.headers['content-type'];
  if (type === undefined && !hasBody(request)) {
    next();
    return;
  }
  const [mediaType = '', ...parameters] = (type ?? '').toLowerCase().split(';');
  if (!/^application\/([\w.+-]+\+)?json$/.test(mediaType.trim()))
    throw unsupported('The content type must be application/json');
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
