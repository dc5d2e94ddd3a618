import type { RebuiltService, TaskReply } from '@mneme/contracts';
import {
  askServices,
  type FoundReadModel,
  foundReadModels,
  type OperatedSystem,
  servicesByTarget,
} from '@mneme/read-models';
import type { Logger } from '@mneme/service-kit';
import { v7 as uuidv7 } from 'uuid';
import { conflict, notFound, toWireError } from '../errors.ts';
import {
  type AgedTask,
  type StoredTask,
  seenEveryMs,
  stateOf,
  type TaskName,
  type TaskRecord,
  type TaskStore,
} from './task-store.ts';

/** Work of operators that takes longer than a request may. */
export interface Tasks {
  /**
   * Begins `work`, unless a task of this name is running; does not wait for it.
   * @param startedBy the id of the operator
   */
  begin(name: TaskName, startedBy: number, work: () => Promise<object>): Promise<TaskReply>;
  /** The last task of each name, the newest first. */
  list(): Promise<TaskReply[]>;
  /** @throws WireError 404 */
  read(id: string): Promise<TaskReply>;
  /** Waits for nothing any more. What runs is interrupted, unless another gateway goes on with it. */
  stop(): void;
}

export interface TasksDeps {
  readonly store: TaskStore;
  readonly system: OperatedSystem;
  readonly logger: Logger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

export function createTasks(deps: TasksDeps): Tasks {
  const { store } = deps;
  const waiting = new Set<NodeJS.Timeout>();
  let isStopped = false;
  const list = async () => {
    const tasks = (await store.list()).sort((left, right) => right.task.startedAt.localeCompare(left.task.startedAt));
    const hasRunning = tasks.some((task) => stateOf(task) === 'running');
    const readModels = hasRunning ? await readModelsOf(deps.system) : [];
    return tasks.map((task) => toReply(task, readModels));
  };
  return {
    begin: async (name, startedBy, work) => {
      const before = await store.find(name);
      if (before && stateOf(before) === 'running') return toReply(before, await readModelsOf(deps.system));
      const begun = await putNew(deps, name, startedBy, before?.revision ?? 0);
      const timer = keepSeen(deps, begun);
      waiting.add(timer.interval);
      void outcomeOf(work, deps.logger).then(async (outcome) => {
        clearInterval(timer.interval);
        waiting.delete(timer.interval);
        // A connection that is closed at the end says nothing about the work.
        if (!isStopped) await timer.finish(outcome);
      });
      return toReply(begun, []);
    },
    list,
    read: async (id) => {
      const task = (await list()).find((each) => each.id === id);
      if (task) return task;
      throw notFound(`There is no task ${id}`);
    },
    stop: () => {
      isStopped = true;
      for (const timer of waiting) clearInterval(timer);
    },
  };
}

async function putNew({ store, clock }: TasksDeps, name: TaskName, startedBy: number, revision: number) {
  const now = new Date(clock()).toISOString();
  const open = { startedBy, startedAt: now, finishedAt: null, seenAt: now, result: null, error: null };
  const task: TaskRecord = { id: uuidv7(), ...name, ...open };
  const stored = await store.put(task, revision);
  if (stored === undefined) throw conflict(`Another operator has just begun to ${name.kind} ${name.target}`);
  return { task, revision: stored, ageMs: 0 };
}

type Outcome = Pick<TaskRecord, 'result' | 'error'>;

async function outcomeOf(work: () => Promise<object>, logger: Logger): Promise<Outcome> {
  try {
    return { result: { ...(await work()) }, error: null };
  } catch (error) {
    logger.warn({ err: error }, 'A task of an operator has failed');
    // Operators are told what others are not; services send them the reason.
    return { result: null, error: error instanceof Error ? error.message : toWireError(error).message };
  }
}

/** Writes down again and again that this gateway still waits, and at last the outcome. */
function keepSeen({ store, clock, logger }: TasksDeps, { task, revision }: StoredTask) {
  let known = revision;
  const put = async (changes: Partial<TaskRecord>) => {
    const changed = { ...task, seenAt: new Date(clock()).toISOString(), ...changes };
    const stored = (await store.put(changed, known)) ?? (await putAgain(store, changed));
    if (stored !== undefined) known = stored;
  };
  let writing: Promise<void> = Promise.resolve();
  const write = (changes: Partial<TaskRecord>) => {
    writing = writing
      .then(() => put(changes))
      .catch((error: unknown) => logger.warn({ err: error }, 'A task of an operator cannot be written down'));
    return writing;
  };
  const interval = setInterval(() => void write({}), seenEveryMs);
  interval.unref();
  return {
    interval,
    finish: (outcome: Outcome) => write({ ...outcome, finishedAt: new Date(clock()).toISOString() }),
  };
}

/**
 * After a conflict, which may be with a write of our own whose acknowledgement was lost.
 * @returns undefined when another task has taken the place of ours
 */
async function putAgain(store: TaskStore, task: TaskRecord): Promise<number | undefined> {
  const found = await store.find(task);
  // The record is gone where the bucket was lost and made again.
  return !found || found.task.id === task.id ? store.put(task, found?.revision ?? 0) : undefined;
}

async function readModelsOf(system: OperatedSystem): Promise<FoundReadModel[]> {
  return foundReadModels(await askServices(system));
}

function toReply(aged: AgedTask, readModels: readonly FoundReadModel[]): TaskReply {
  const state = stateOf(aged);
  const { task } = aged;
  const { target, targetKind, startedAt, finishedAt } = task;
  const isMeant = ({ name, service }: FoundReadModel) =>
    targetKind === 'service' ? service === servicesByTarget[target as RebuiltService] : name === target;
  const filled = state === 'running' && task.kind === 'rebuild' ? readModels.filter(isMeant) : [];
  return {
    id: task.id,
    kind: task.kind,
    target,
    target_kind: targetKind,
    state,
    started_by: task.startedBy,
    started_at: startedAt,
    // The clock may have been set back in between.
    finished_at: finishedAt !== null && finishedAt < startedAt ? startedAt : finishedAt,
    progress: filled.flatMap(({ name, versions }) =>
      versions
        .filter((version) => version.state === 'rebuilding')
        .map(({ version, position, head }) => ({ read_model: name, version, position, head })),
    ),
    result: task.result,
    error: task.error,
  };
}
