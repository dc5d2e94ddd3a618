import type { Response } from 'express';

/**
 * Lets the work on a request begin while the request is still being counted. For work that changes nothing: what comes of
 * it is thrown away when the request is refused.
 */
export function workMeanwhile(response: Response, counted: Promise<void>): void {
  // Whoever answers hears of it by `whenCounted`.
  counted.catch(() => undefined);
  response.locals.counted = counted;
}

/**
 * The answer to a request, once it is counted.
 * @throws whatever refuses the request, which comes before anything that is wrong with it
 */
export async function whenCounted<Answer>(response: Response, answer: Promise<Answer>): Promise<Answer> {
  answer.catch(() => undefined);
  await (response.locals.counted as Promise<void> | undefined);
  return answer;
}
