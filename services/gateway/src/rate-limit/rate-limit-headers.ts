import type { Response } from 'express';
import type { Decision } from './decisions.ts';
import { windowSeconds } from './sliding-window.ts';

/** Says on every answer to a key how much of its limit is used. */
export function setRateLimitHeaders(response: Response, { limit, remaining, resetSeconds }: Decision): void {
  response.setHeader('RateLimit-Policy', `"key";q=${limit};w=${windowSeconds}`);
  response.setHeader('RateLimit', `"key";r=${remaining};t=${resetSeconds}`);
}
