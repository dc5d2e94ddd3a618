import type { AccessEvent, KeyRecord } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { RecordRules } from '@mneme/read-models';

/** Records of keys, by the hash of the key. What ended keeps its record, so that its end is known for certain. */
export const keyRecordRules: RecordRules<AccessEvent, KeyRecord> = {
  types: ['KeyIssued', 'KeyChanged', 'KeyRegenerated', 'KeyRevoked'],
  keysOf: (event) => {
    switch (event.type) {
      case 'KeyIssued':
      case 'KeyChanged':
      case 'KeyRevoked':
        return [event.data.keyHash];
      case 'KeyRegenerated':
        return [event.data.keyHash, event.data.replacedKeyHash];
      default:
        return [];
    }
  },
  change,
  hasEnded: ({ state }) => state === 'replaced' || state === 'revoked',
};

/** The hashes of keys that an event has ended. */
export function endedBy(event: AccessEvent): readonly string[] {
  if (event.type === 'KeyRegenerated') return [event.data.replacedKeyHash];
  return event.type === 'KeyRevoked' ? [event.data.keyHash] : [];
}

function change(
  event: Recorded<AccessEvent>,
  record: (keyHash: string) => KeyRecord | undefined,
): ReadonlyMap<string, KeyRecord> {
  const { sequence } = event.position;
  if (event.type === 'KeyIssued') {
    const { keyId, spaceId, userId, scopes, rateLimit, agentId, expiresAt, keyHash } = event.data;
    const issued = { keyId, spaceId, userId, scopes, rateLimit, agentId, expiresAt };
    return new Map([[keyHash, { ...issued, state: 'active', sequence }]]);
  }
  if (event.type === 'KeyChanged') {
    const { keyHash, scopes, rateLimit, isActive } = event.data;
    return later(record(keyHash), keyHash, { scopes, rateLimit, state: isActive ? 'active' : 'inactive', sequence });
  }
  if (event.type === 'KeyRevoked') {
    const { keyHash } = event.data;
    return later(record(keyHash), keyHash, { state: 'revoked', sequence });
  }
  if (event.type !== 'KeyRegenerated') return new Map();
  const { keyHash, replacedKeyHash } = event.data;
  const replaced = record(replacedKeyHash);
  if (!replaced) return new Map();
  return new Map([
    [keyHash, { ...replaced, sequence }],
    [replacedKeyHash, { ...replaced, state: 'replaced', sequence }],
  ]);
}

function later(
  before: KeyRecord | undefined,
  keyHash: string,
  changed: Partial<KeyRecord>,
): ReadonlyMap<string, KeyRecord> {
  return before ? new Map([[keyHash, { ...before, ...changed }]]) : new Map();
}
