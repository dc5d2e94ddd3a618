import type { Session } from '@mneme/client';
import { queryClient } from '../query-client.ts';
import { actAs, identity, identityOf } from './identity.ts';
import { sessionKey } from './session.ts';

/** Has this page act for the caller of a session. What it knows from acting for another one goes. */
export function actFor(session: Session): void {
  const isSame = identityOf(session) === identity();
  actAs(identityOf(session));
  if (!isSame) queryClient.removeQueries({ predicate: ({ queryKey: [area] }) => area !== sessionKey[0] });
  queryClient.setQueryData(sessionKey, session);
  if (isSame) void queryClient.invalidateQueries();
}

/** Has this page act for no one. @param session that has been signed out */
export function actForNoOne(session: Session): void {
  actFor({ ...session, signed_in_as: null, user_id: null, is_operator: false, key: null, expires_at: null });
}
