import type { Request, Response } from 'express';
import { SessionExpiredError } from '../errors.ts';
import { assertOwnPage } from './own-pages.ts';
import type { SessionCookie } from './session-cookie.ts';
import { type Grant, maxSessionMs, type Session, type SessionStore } from './session-store.ts';

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
   * @throws WireError 503 when there is no room for another one, also for this owner
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
  /** Whose session it is. */
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number | undefined;
}

export interface SessionsDeps {
  readonly store: SessionStore;
  readonly cookie: SessionCookie;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Where callers reach the gateways, if that is configured. */
  readonly ownOrigin: string | undefined;
}

export function createSessions({ store, cookie, clock, ownOrigin }: SessionsDeps): Sessions {
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
    open: async (request, response, { grant, owner, endsAt = Number.POSITIVE_INFINITY }) => {
      const session = { grant, expiresAt: Math.min(endsAt, clock() + maxSessionMs) };
      const earlier = cookie.read(request);
      const id = await store.create(owner, session);
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
