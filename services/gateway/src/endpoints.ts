import {
  accessRoutes,
  accessStream,
  callerRoutes,
  memoryRoutes,
  memoryStream,
  operatorRoutes,
  tableRoutes,
  webhookRoutes,
  webhookStream,
} from '@mneme/contracts';
import { maxEventBytes, openEraser } from '@mneme/event-store';
import { callerEndpoints } from './access/caller-routes.ts';
import { keyEndpoints, keyFailures } from './access/key-routes.ts';
import { spaceEndpoints } from './access/space-routes.ts';
import type { MemoryCaller, UserCaller } from './auth/caller.ts';
import type { GatewayDeps } from './deps.ts';
import { batchEndpoints } from './memory/batch-routes.ts';
import { commandEndpoints, eraseEndpoints } from './memory/command-routes.ts';
import { createLargeBatches } from './memory/large-batches.ts';
import { createMemoryServices } from './memory/memory-services.ts';
import { queryEndpoints } from './memory/query-routes.ts';
import { thoughtEndpoints } from './memory/thought-routes.ts';
import { operatorEndpoints } from './operators/operator-routes.ts';
import type { StreamArea } from './routing/bind-streams.ts';
import { type Area, defineArea } from './routing/http-endpoint.ts';
import { deliveryEndpoints } from './webhooks/delivery-routes.ts';
import { failures } from './webhooks/failures.ts';
import { deliveryStream } from './webhooks/streams/delivery-stream.ts';
import { tableExports } from './webhooks/streams/table-export.ts';
import { tableEndpoints } from './webhooks/table-routes.ts';
import { testDeliveryEndpoints } from './webhooks/test-delivery.ts';
import { webhookEndpoints } from './webhooks/webhook-routes.ts';

/** Answers the routes of all areas, without those that answer with streams. */
export function createAreas(deps: GatewayDeps): readonly Area[] {
  return [memoryArea(deps), accessArea(deps), callerArea(deps), webhookArea(deps), operatorArea(deps)];
}

/** Answers the routes whose answers are streams. */
export function createStreams({ send, logs, positions, clock }: GatewayDeps): StreamArea {
  const stream = webhookStream.name;
  const head = () => logs.webhooks.head();
  const hasReached = (sequence: number) => positions.hasReached(stream, sequence);
  return { bindings: [deliveryStream({ send, head, hasReached, clock }), ...tableExports(send)], stream };
}

function memoryArea({ connection, logs, send, idempotency, timeoutMs }: GatewayDeps): Area {
  const services = createMemoryServices(send);
  const eraser = openEraser(connection, memoryStream.name);
  const submission = {
    store: logs.memory,
    maxEventBytes: () => maxEventBytes(connection),
    largeBatches: createLargeBatches(),
  };
  return defineArea<typeof memoryRoutes, MemoryCaller>({
    routes: memoryRoutes,
    endpoints: {
      ...batchEndpoints({ ...submission, services, syncTimeoutMs: timeoutMs }),
      ...commandEndpoints(services),
      ...eraseEndpoints({ services, idempotency, store: logs.memory, eraser, timeoutMs }),
      ...queryEndpoints(services),
      ...thoughtEndpoints({ services, timeoutMs }),
    },
    stream: memoryStream.name,
  });
}

function accessArea({ send }: GatewayDeps): Area {
  return defineArea<typeof accessRoutes, UserCaller>({
    routes: accessRoutes,
    endpoints: { ...spaceEndpoints(send), ...keyEndpoints(send) },
    failures: keyFailures,
    stream: accessStream.name,
  });
}

function callerArea({ send }: GatewayDeps): Area {
  return defineArea<typeof callerRoutes, MemoryCaller>({
    routes: callerRoutes,
    endpoints: callerEndpoints(send),
    stream: accessStream.name,
  });
}

function webhookArea(deps: GatewayDeps): Area {
  return defineArea<typeof webhookRoutes & typeof tableRoutes, UserCaller>({
    routes: { ...webhookRoutes, ...tableRoutes },
    endpoints: {
      ...webhookEndpoints(deps),
      ...testDeliveryEndpoints(deps),
      ...deliveryEndpoints(deps),
      ...tableEndpoints(deps.send),
    },
    failures,
    stream: webhookStream.name,
  });
}

function operatorArea(deps: GatewayDeps): Area {
  return defineArea<typeof operatorRoutes, UserCaller>({
    routes: operatorRoutes,
    endpoints: operatorEndpoints(deps),
    stream: memoryStream.name,
  });
}
