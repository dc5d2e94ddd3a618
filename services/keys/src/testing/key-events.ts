import type { AccessEvent, AccessEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';

type Issued = AccessEventOf<'KeyIssued'>['data'];
type Changed = AccessEventOf<'KeyChanged'>['data'];

/** The hashes of a key and of the one that replaces it. */
export const [hashA, hashB] = ['a'.repeat(64), 'b'.repeat(64)] as const;

/** What is known of a key when it is issued. @param different from a plain one with the id 7 */
export function newKey(different: Partial<Issued> = {}): Issued {
  return {
    keyId: 7,
    spaceId: 1,
    projectId: 2,
    userId: 3,
    name: 'Assistant',
    scopes: ['*'],
    rateLimit: 1_000,
    keyHash: hashA,
    keyPrefix: 'sk-aaaa',
    expiresAt: null,
    agentId: null,
    commandId: 'c',
    ...different,
  };
}

export const keyRegenerated: AccessEvent = {
  type: 'KeyRegenerated',
  data: { keyId: 7, keyHash: hashB, keyPrefix: 'sk-bbbb', replacedKeyHash: hashA, commandId: 'd' },
};

export function keyChanged(changed: Partial<Changed>): AccessEvent {
  const same = { keyId: 7, keyHash: hashA, name: 'Assistant', scopes: ['*'], rateLimit: 1_000, isActive: true };
  return { type: 'KeyChanged', data: { ...same, ...changed } };
}

export const eventTime = '2026-01-01T00:00:00.000Z';

/** The events as they are read from the log, from sequence 1 on. */
export function recorded(...events: readonly AccessEvent[]): Recorded<AccessEvent>[] {
  return events.map((event, index) => {
    return { ...event, time: eventTime, position: { stream: 'ACCESS', sequence: index + 1 } } as never;
  });
}
