import type { operatorRoutes, TaskReply } from '@mneme/contracts';
import {
  discardDeadLetter,
  explained,
  findReadModel,
  readModelOf,
  rebuildReadModel,
  rebuildService,
  retryDeadLetter,
  rollBackReadModel,
  verifyReadModel,
} from '@mneme/read-models';
import type { UserCaller } from '../auth/caller.ts';
import type { GatewayDeps } from '../deps.ts';
import type { HttpEndpoints, UserScope } from '../routing/http-endpoint.ts';
import { describeReadModels, describeServices, describeStreams, toDeadLetter } from './describe-system.ts';
import type { TaskName } from './task-store.ts';

/** Dead letters are read with the data of their events, of which a page does not show anything. */
const maxPageBytes = 8 * 1_024 * 1_024;
const staysDeadLetter = 'It stays a dead letter: ';

export type OperatorDeps = Pick<GatewayDeps, 'connection' | 'system' | 'tasks' | 'logger'>;

/** What the command line does for operators, over HTTP, by the same functions. */
export function operatorEndpoints(deps: OperatorDeps): HttpEndpoints<typeof operatorRoutes, UserCaller> {
  const { connection, system, tasks, logger } = deps;
  const note = (scope: UserScope, what: string, target: string | number) => {
    logger.info({ requestId: scope.requestId, operator: scope.caller.userId, target }, `Operator action: ${what}`);
  };
  const begin = async (scope: UserScope, name: TaskName, work: () => Promise<object>) => {
    note(scope, name.kind, name.target);
    return begun(await tasks.begin(name, scope.caller.userId, work));
  };
  return {
    systemServices: async () => ({ body: await describeServices(connection, system) }),
    systemStreams: async () => ({ body: await describeStreams(connection) }),
    systemReadModels: async () => ({ body: await describeReadModels(system) }),
    rebuildReadModel: async ({ path: { name } }, scope) => {
      await findReadModel(system, name);
      const task = { kind: 'rebuild', target: name, targetKind: 'read-model' } as const;
      return begin(scope, task, () => rebuildReadModel(system, name));
    },
    rollBackReadModel: async ({ path: { name } }, scope) => {
      note(scope, 'roll back', name);
      return { body: { name, version: await rollBackReadModel(system, name) } };
    },
    verifyReadModel: async ({ path: { name } }, scope) => {
      await findReadModel(system, name);
      const task = { kind: 'verify', target: name, targetKind: 'read-model' } as const;
      return begin(scope, task, () => verifyReadModel(system, name));
    },
    rebuildService: ({ path: { service } }, scope) => {
      const task = { kind: 'rebuild', target: service, targetKind: 'service' } as const;
      return begin(scope, task, () => rebuildService(system, service));
    },
    systemTasks: async () => ({ body: { tasks: await tasks.list() } }),
    systemTask: async ({ path: { id } }) => ({ body: await tasks.read(id) }),
    listDeadLetters: async ({ query: { limit, cursor } }) => {
      const [{ entries, next }, total] = await Promise.all([
        system.deadLetters.page(cursor, limit, maxPageBytes),
        system.deadLetters.count(),
      ]);
      const next_cursor = next === undefined ? null : String(next);
      return { body: { dead_letters: entries.map(toDeadLetter), total, next_cursor } };
    },
    retryDeadLetter: async ({ path: { id } }, scope) => {
      note(scope, 'retry a dead letter', id);
      const letter = await explained(() => retryDeadLetter(system, id), staysDeadLetter);
      const message = readModelOf(letter)
        ? 'The event was applied, with what had waited for it. If a later event cannot be applied, it is a dead letter now'
        : 'The event was handled';
      return { body: { id, message } };
    },
    discardDeadLetter: async ({ path: { id } }, scope) => {
      note(scope, 'discard a dead letter', id);
      await explained(() => discardDeadLetter(system, id), staysDeadLetter);
      return { body: { id, message: 'It is no dead letter any more; the log keeps the event' } };
    },
  };
}

function begun(body: TaskReply) {
  return { body, location: `/api/v3/system/tasks/${body.id}` };
}
