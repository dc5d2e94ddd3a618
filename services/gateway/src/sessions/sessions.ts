import { parse, serialize } from 'cookie';
import type { Request, Response } from 'express';
import { SessionExpiredError } from '../errors.ts';
import { assertOwnPage } from './own-pages.ts';
import { type Grant, maxSessionMs, type Session, type SessionHolder, type SessionStore } from './session-store.ts';

/** The sessions of browsers, as requests have them. */
export interface Sessions {
  /**
   * The session that the cookie of a request stands for; undefined without a cookie.
   * @throws WireError 403 when the request does not come from a page of this server
   * @throws SessionExpiredError when there is no such session any more
   */
  of(request: Request): Promise<Session | undefined>;
  /**
   * Opens a session until the credential ends, or for 30 days.
   * @throws WireError 503 when there is no room for another one
   */
  open(request: Request, response: Response, opening: SessionOpening): Promise<Session>;
  /** Ends the session of a request, if it has one, and removes the cookie. */
  end(request: Request, response: Response): Promise<boolean>;
  /** Removes the cookie alone. */
  forget(request: Request, response: Response): void;
  /** @throws WireError 403 when the request does not come from a page of this server */
  assertOwnPage(request: Request): void;
}

export interface SessionOpening {
  readonly grant: Grant;
  readonly holder: SessionHolder;
  /** Milliseconds since 1970. */
  readonly endsAt: number | undefined;
}

export interface SessionsDeps {
  readonly store: SessionStore;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Where callers reach the gateways; by default each request tells. */
  readonly publicBaseUrl: string | undefined;
}

export function createSessions({ store, clock, publicBaseUrl }: SessionsDeps): Sessions {
  const cookie = sessionCookie(publicBaseUrl);
  const ownOrigin = publicBaseUrl && URL.parse(publicBaseUrl)?.origin;
  const assertOwn = (request: Request) => assertOwnPage(request, ownOrigin);
  return {
    assertOwnPage: assertOwn,
    of: async (request) => {
      // MCP and the pages themselves know no session.
      const id = request.path.startsWith('/api/') ? cookie.read(request) : undefined;
      if (id === undefined) return undefined;
      assertOwn(request);
      const session = await store.find(id);
      if (!session) throw new SessionExpiredError();
      return session;
    },
    open: async (request, response, { grant, holder, endsAt = Number.POSITIVE_INFINITY }) => {
      const session = { grant, expiresAt: Math.min(endsAt, clock() + maxSessionMs) };
      const earlier = cookie.read(request);
      const id = await store.create(holder, session);
      cookie.set(request, response, id, new Date(session.expiresAt));
      if (earlier !== undefined) await store.end(earlier);
      return session;
    },
    end: async (request, response) => {
      const id = cookie.read(request);
      if (id === undefined) return false;
      await store.end(id);
      cookie.clear(request, response);
      return true;
    },
    forget: (request, response) => cookie.clear(request, response),
  };
}

const baseName = 'mneme-session';

/** Reads and sets the cookie of a session. */
function sessionCookie(publicBaseUrl: string | undefined) {
  const isSecure = (request: Request) => request.secure || publicBaseUrl?.startsWith('https:') === true;
  const nameFor = (request: Request) => (isSecure(request) ? `__Host-${baseName}` : plainName(request));
  const write = (request: Request, response: Response, value: string, expires: Date) => {
    const options = { path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure(request), expires } as const;
    response.appendHeader('Set-Cookie', serialize(nameFor(request), value, options));
  };
  return {
    read: (request: Request) => {
      const { cookie } = request.headers;
      // Most requests have none, and few parts of the gateway are asked as often.
      return cookie === undefined ? undefined : parse(cookie)[nameFor(request)] || undefined;
    },
    set: write,
    clear: (request: Request, response: Response) => write(request, response, '', new Date(0)),
  };
}

/** Cookies do not tell ports apart; two servers on one machine keep a session each by the name. */
function plainName(request: Request): string {
  const port = /:(\d{1,5})$/.exec(request.headers.host ?? '')?.[1];
  return port === undefined ? baseName : `${baseName}-${port}`;
}
