import { parse, serialize } from 'cookie';
import type { Request, Response } from 'express';

/** Reads and sets the cookie of a session. */
export interface SessionCookie {
  read(request: Request): string | undefined;
  set(request: Request, response: Response, id: string, expiresAt: Date): void;
  clear(request: Request, response: Response): void;
}

const baseName = 'mneme-session';

/** @param publicBaseUrl where callers reach the gateways; by default each request tells */
export function createSessionCookie(publicBaseUrl: string | undefined): SessionCookie {
  const isSecure = (request: Request) => request.secure || publicBaseUrl?.startsWith('https:') === true;
  const nameFor = (request: Request) => (isSecure(request) ? `__Host-${baseName}` : plainName(request));
  const write = (request: Request, response: Response, value: string, expires: Date) => {
    const options = { path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure(request), expires } as const;
    response.appendHeader('Set-Cookie', serialize(nameFor(request), value, options));
  };
  return {
    read: (request) => {
      const { cookie } = request.headers;
      // Most requests have none, and few parts of the gateway are asked as often.
      return cookie === undefined ? undefined : parse(cookie)[nameFor(request)] || undefined;
    },
    set: write,
    clear: (request, response) => write(request, response, '', new Date(0)),
  };
}

/** Cookies do not tell ports apart; two servers on one machine keep a session each by the name. */
function plainName(request: Request): string {
  const port = /:(\d{1,5})$/.exec(request.headers.host ?? '')?.[1];
  return port === undefined ? baseName : `${baseName}-${port}`;
}
