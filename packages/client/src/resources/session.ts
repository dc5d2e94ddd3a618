import type { Connection } from '../http/connection.ts';
import type { RequestOptions } from '../http/request.ts';

export type BrowserSession = ReturnType<typeof sessionOf>;

/** The session of this browser at a server whose page this is. */
export function sessionOf({ call }: Connection) {
  return {
    /** The user or key that the browser is signed in as, if any. */
    get: (options: RequestOptions = {}) => call('get', '/api/v3/session', options),
    /** Signs in with the code of a sign-in link, or with a token or an API key. */
    signIn: (credential: { readonly code: string } | { readonly credential: string }, options: RequestOptions = {}) =>
      call('post', '/api/v3/session', { ...options, body: credential }),
    signOut: (options: RequestOptions = {}) => call('delete', '/api/v3/session', options),
  };
}
