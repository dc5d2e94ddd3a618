import { routesOf } from '../http/route.ts';
import { sessionSchema, signedOutSchema } from './replies.ts';
import { signInSchema } from './requests.ts';

const sessions = routesOf('Browser sessions', 'anyone');

const otherPage = 'The request does not come from a page of this server';
const tooMany = 'Too many requests with invalid credentials from this address';

/** Lets the pages of this server act for somebody without a script ever having a credential. */
export const sessionRoutes = {
  getSession: sessions.get('/api/v3/session', {
    summary: 'See whom this browser is signed in as',
    description: 'Also without a session. A session that has ended is removed from the browser.',
    reply: sessionSchema,
    refusals: { 401: 'No valid credentials', 403: otherPage, 429: tooMany },
  }),
  signIn: sessions.post('/api/v3/session', {
    summary: 'Sign this browser in',
    description:
      'Sets a cookie that no script can read. It stands for the credential in all requests below `/api/` that come from pages ' +
      'of this server and have the header `Mneme-Console`, until the credential or the session ends (30 days at most). If the ' +
      'header names a caller (`user:1`, `key:3`, or `public` for none), requests on behalf of another one are refused with 401 ' +
      '`SESSION_EXPIRED`. Signing in with an API key counts as a request of the key. Of more than 100 sessions of a user or a ' +
      'key, the oldest one ends.',
    body: signInSchema,
    reply: sessionSchema,
    refusals: {
      401: 'The code was used or has expired, or the credential is not valid',
      403: otherPage,
      429: `${tooMany}, or the key is past its rate limit`,
    },
  }),
  signOut: sessions.delete('/api/v3/session', {
    summary: 'Sign this browser out',
    description: 'The session ends for all gateways; a copy of its cookie is worth nothing from the next request on.',
    reply: signedOutSchema,
    refusals: { 403: otherPage },
  }),
} as const;
