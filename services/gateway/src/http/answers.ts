import type { Response } from 'express';

/** A response as a value, so that it can be kept and given again. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** A body that is JSON text already: numbers and names in it stay as they are written. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function jsonAnswer(body: unknown, headers: Readonly<Record<string, string>> = {}, status = 200): Answer {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  return {
    status,
    headers: { ...type, ...headers },
    body: body instanceof JsonText ? body.text : JSON.stringify(body),
  };
}

/** Sends an answer, unless the caller has gone or has one already. */
export function send(response: Response, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...answer.headers, 'Content-Length': body.length });
  response.end(body);
}
