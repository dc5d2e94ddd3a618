import type { Connection } from '../http/connection.ts';
import { onlyKnown, type RequestOptions } from '../http/request.ts';

interface CredentialFields {
  readonly code: string;
  readonly credential: string;
}
type Credential = Pick<CredentialFields, 'code'> | Pick<CredentialFields, 'credential'>;

export type BrowserSession = ReturnType<typeof sessionOf>;

/** The session of this browser at a server whose page this is. */
export function sessionOf({ call }: Connection) {
  return {
    /** The user or key that the browser is signed in as, if any. */
    get: (options: RequestOptions = {}) => call('get', '/api/v3/session', {}, options),
    /** Signs in with the code of a sign-in link, or with a token or an API key. */
    signIn: async (credential: Credential, options: RequestOptions = {}) => {
      onlyKnown<Partial<CredentialFields>>('credential', credential, { code: true, credential: true });
      return call('post', '/api/v3/session', { body: credential }, options);
    },
    signOut: (options: RequestOptions = {}) => call('delete', '/api/v3/session', {}, options),
  };
}
