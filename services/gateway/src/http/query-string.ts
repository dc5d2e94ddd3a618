import { WireError } from '@mneme/contracts';
import type { NextFunction, Request, Response } from 'express';

/** How many parameters a query string may have. */
const maxParameters = 100;

/** Names and their values; a name that occurs again has a list. */
type QueryParameters = Record<string, string | string[]>;

/**
 * Parses the query string of a request, once, and keeps the result as `request.query`: Express would parse it again each
 * time that somebody reads that property.
 * @throws WireError 400 when it has more than 100 parameters
 */
export function readQueryString(request: Request, _response: Response, next: NextFunction): void {
  const start = request.url.indexOf('?');
  const value = parseQueryString(start === -1 ? '' : request.url.slice(start + 1));
  Object.defineProperty(request, 'query', { value });
  next();
}

/**
 * Reads a query string into names and values. A name that occurs again has a list, which no schema of ours takes, so
 * that a repeated parameter is refused and never half of it used. No prototype, so that any name is just a name.
 * @throws WireError 400 when it has more than 100 parameters
 */
export function parseQueryString(text: string): QueryParameters {
  const parameters: QueryParameters = Object.create(null);
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1;
    if (count > maxParameters) throw tooMany();
    const earlier = parameters[name];
    if (earlier === undefined) parameters[name] = value;
    else if (typeof earlier === 'string') parameters[name] = [earlier, value];
    else earlier.push(value);
  }
  return parameters;
}

function tooMany(): WireError {
  const message = `The query string has more than ${maxParameters} parameters`;
  return new WireError({ status: 400, code: 'BAD_REQUEST', message });
}
