import { keys } from '@mneme/contracts';
import { watchConnection } from '@mneme/event-store';
import type { NatsConnection } from '@nats-io/nats-core';
import type { GatewayConfig } from '../config.ts';
import { createFailureBrake } from '../rate-limit/failure-limit.ts';
import { createKeyMeter } from '../rate-limit/key-meter.ts';
import { createUsageStore } from '../rate-limit/usage-store.ts';
import type { ServiceCall } from '../send-request.ts';
import { openAccessBuckets } from './access-buckets.ts';
import type { AdmissionDeps } from './admission.ts';
import { userCaller } from './caller.ts';
import { createKeyRecords } from './key-records.ts';
import { createTokenVerifier } from './token-verifier.ts';
import { createUserSpaces } from './user-spaces.ts';

/** Opens what the gateway lets callers in by. */
export async function openAdmission(deps: {
  config: GatewayConfig;
  connection: NatsConnection;
  call: ServiceCall;
}): Promise<AdmissionDeps> {
  const { config, connection, call } = deps;
  const buckets = await openAccessBuckets(connection, config.STREAM_REPLICAS);
  const watch = watchConnection(connection);
  const clock = Date.now;
  return {
    memoryAuth: config.MEMORY_AUTH,
    tokens: createTokenVerifier(config, clock),
    keys: createKeyRecords({ bucket: buckets.apiKeys, watch, clock }),
    brake: createFailureBrake({ limit: config.AUTH_FAILURE_LIMIT, clock }),
    meter: createKeyMeter({
      store: createUsageStore({ usage: buckets.keyUsage, windows: buckets.keyWindows }, watch),
      clock,
    }),
    spaces: createUserSpaces({ bucket: buckets.spaceOwners, watch }),
    ensureUser: (requestId) => async (userId) => {
      const scope = { requestId, caller: userCaller(userId) };
      return (await call(keys.ensureUser, { userId }, scope)).value;
    },
  };
}
