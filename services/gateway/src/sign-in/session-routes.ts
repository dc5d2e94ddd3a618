import { type SessionReply, type SignInRequest, sessionRoutes } from '@mneme/contracts';
import type { Express, Request, RequestHandler, Response } from 'express';
import { decodeJwt } from 'jose';
import { type AdmissionDeps, countRequest } from '../auth/admission.ts';
import { identify, verifyCredential } from '../auth/authenticate.ts';
import type { Caller, KeyCaller, UserCaller } from '../auth/caller.ts';
import { type Credential, credentialIn, readCredential } from '../auth/credential.ts';
import { credentialRequired, SessionExpiredError } from '../errors.ts';
import { jsonAnswer, send } from '../http/answers.ts';
import { type BodyDeps, readBody, takeBody } from '../http/input/body.ts';
import { inputParser } from '../http/input/parse-input.ts';
import { addressOf, markRoute } from '../http/request.ts';
import type { SessionHolder, SessionStore } from '../sessions/session-store.ts';

export interface SessionRouteDeps extends BodyDeps {
  readonly admission: AdmissionDeps;
  readonly sessionStore: SessionStore;
  readonly hasIdentityProvider: boolean;
}

/** Signs browsers in and out. These routes have no caller yet, and set cookies, so that no area has them. */
export function bindSessions(app: Express, deps: SessionRouteDeps): void {
  const { getSession, signIn, signOut } = sessionRoutes;
  const { sessions } = deps.admission;
  const ownPage: RequestHandler = (request, _response, next) => {
    sessions.assertOwnPage(request);
    next();
  };
  app.get(getSession.path, markRoute(getSession.path), async (request: Request, response: Response) => {
    send(response, jsonAnswer(await describe(request, response, deps)));
  });
  const parse = inputParser(signIn);
  app.post(
    signIn.path,
    markRoute(signIn.path),
    ownPage,
    readBody({ ...deps, bodyLimitBytes: Math.min(deps.bodyLimitBytes, maxSignInBytes) }, () => 'sign-in'),
    async (request: Request, response: Response) => {
      const { body } = parse(request, takeBody(request), undefined);
      send(response, jsonAnswer(await open(request, response, await credentialOf(body as SignInRequest, deps), deps)));
    },
  );
  app.delete(signOut.path, markRoute(signOut.path), ownPage, async (request: Request, response: Response) => {
    send(response, jsonAnswer({ signed_out: await sessions.end(request, response) }));
  });
}

/** More than any credential takes; the caller is not authenticated yet. */
const maxSignInBytes = 64 * 1_024;

/** @throws UnauthenticatedError when the code gives no credential any more */
async function credentialOf(
  { code, credential }: SignInRequest,
  { sessionStore }: SessionRouteDeps,
): Promise<Credential> {
  const text = code === undefined ? credential : await sessionStore.takeCode(code);
  if (text !== undefined) return credentialIn(text);
  const message =
    'This link was used before or is older than 10 minutes; `npm run mneme -- sign-in --user 1` prints a new one';
  throw credentialRequired(message);
}

/** @throws WireError 401 when the credential is not valid, 429 past the limit of a key */
async function open(
  request: Request,
  response: Response,
  credential: Credential,
  deps: SessionRouteDeps,
): Promise<SessionReply> {
  const caller = await verifyCredential(credential, addressOf(request), deps.admission);
  if (caller.kind === 'key') await countRequest(caller, response, deps.admission);
  const grant = { credential: credential.text };
  const opening = { grant, holder: holderOf(caller), endsAt: endOf(credential, caller) };
  const session = await deps.admission.sessions.open(request, response, opening);
  return reply(caller, session.expiresAt, deps);
}

function holderOf(caller: UserCaller | KeyCaller): SessionHolder {
  return caller.kind === 'key' ? { userId: caller.key.userId, keyId: caller.key.keyId } : { userId: caller.userId };
}

/** When a verified credential ends, in milliseconds since 1970. */
function endOf(credential: Credential, caller: UserCaller | KeyCaller): number | undefined {
  if (caller.kind === 'key') return caller.key.expiresAt === null ? undefined : Date.parse(caller.key.expiresAt);
  const { exp } = decodeJwt(credential.text);
  return exp === undefined ? undefined : exp * 1_000;
}

/** A session that has ended is removed, so that the browser can go on without one. Pages ask to learn whom it acts for now. */
async function describe(request: Request, response: Response, deps: SessionRouteDeps): Promise<SessionReply> {
  const { sessions } = deps.admission;
  try {
    const caller = await identify(request, deps.admission);
    const hasCredential = readCredential(request.rawHeaders) !== undefined;
    const session = hasCredential ? undefined : await sessions.of(request);
    return reply(caller, session?.expiresAt, deps);
  } catch (error) {
    if (!(error instanceof SessionExpiredError)) throw error;
    sessions.forget(request, response);
    return reply(undefined, undefined, deps);
  }
}

function reply(caller: Caller | undefined, expiresAt: number | undefined, deps: SessionRouteDeps): SessionReply {
  return {
    signed_in_as: caller === undefined || caller.kind === 'anonymous' ? null : caller.kind,
    user_id: caller?.kind === 'user' ? caller.userId : null,
    is_operator: caller?.kind === 'user' && caller.isOperator,
    key: caller?.kind === 'key' ? keyOf(caller.key) : null,
    expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    memory_is_open: deps.admission.memoryAuth === 'optional',
    identity_provider: deps.hasIdentityProvider,
  };
}

function keyOf({ keyId, scopes, agentId }: Extract<Caller, { kind: 'key' }>['key']) {
  return { id: keyId, scopes, agent_id: agentId };
}
