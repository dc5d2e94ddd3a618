import { accessBuckets, keys } from '@mneme/contracts';
import { openRecordBucket } from '../buckets.ts';
import type { GatewayConfig } from '../config.ts';
import type { GatewayBucketDeps } from '../gateway-bucket.ts';
import { createFailureLimit } from '../rate-limit/failure-limit.ts';
import { createKeyMeter } from '../rate-limit/key-meter.ts';
import { openUsageStore } from '../rate-limit/usage-store.ts';
import type { SendRequest } from '../send-request.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AdmissionDeps } from './admission.ts';
import { userCaller } from './caller.ts';
import { createKeyRecords } from './key-records.ts';
import { createTokenVerifier } from './token-verifier.ts';
import { createUserSpaces } from './user-spaces.ts';

/** Opens what callers are authenticated and counted with, and creates buckets that do not exist yet. */
export async function openAdmission(deps: {
  config: GatewayConfig;
  buckets: GatewayBucketDeps;
  send: SendRequest;
  sessions: Sessions;
  usage: AdmissionDeps['usage'];
}): Promise<AdmissionDeps> {
  const { config, buckets, send, sessions, usage } = deps;
  const { connection, replicas, watch } = buckets;
  const clock = Date.now;
  const [apiKeys, spaceOwners, usageStore] = await Promise.all([
    openRecordBucket(connection, { ...accessBuckets.apiKeys, replicas, watch }),
    openRecordBucket(connection, { ...accessBuckets.spaceOwners, replicas, watch }),
    openUsageStore(buckets),
  ]);
  return {
    memoryAuth: config.MEMORY_AUTH,
    operators: new Set(config.OPERATORS),
    operatorRole: config.OPERATOR_ROLE,
    tokens: createTokenVerifier(config, clock),
    keys: createKeyRecords({ records: apiKeys, clock }),
    failures: createFailureLimit({ limit: config.AUTH_FAILURE_LIMIT, clock: () => performance.now() }),
    meter: createKeyMeter({ store: usageStore, clock }),
    sessions,
    usage,
    spaces: createUserSpaces(spaceOwners),
    ensureUser: (requestId) => async (userId) => {
      const requester = { requestId, caller: userCaller(userId) };
      return (await send(keys.ensureUser, { userId }, requester)).value;
    },
  };
}
