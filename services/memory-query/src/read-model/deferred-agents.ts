import { memoryStream } from '@mneme/contracts';
import { formatPosition, type StoredMessage } from '@mneme/event-store';
import { LRUCache } from 'lru-cache';
import type { MemoryReadModel } from './read-model.ts';

/**
 * Up to where all agents of a space are applied, such as `MEMORY:41`; undefined while none of them has an event that could
 * not be applied. Agents of other spaces do not count.
 */
export type AppliedIn = (space: string) => Promise<string | undefined>;

export interface AppliedInDeps {
  readonly readModel: Pick<MemoryReadModel, 'contents' | 'status'>;
  /** The message of the log at a sequence. */
  readonly messageAt: (sequence: number) => Promise<StoredMessage | undefined>;
}

type Deferral = Pick<ReturnType<MemoryReadModel['status']>[number]['deferrals'][number], 'aggregate' | 'from'>;

const mostRemembered = 1_000;

/** An empty space, which no agent has; the cache cannot remember `undefined`. */
const unknownSpace = '';

/**
 * The key of a deferred agent does not tell its space. Its row does, or the event itself if it has no row yet; that is
 * remembered, because the space of an agent never changes, and events may have 8 MB. While the log cannot be read, an agent
 * without a row does not count.
 */
export function createAppliedIn({ readModel, messageAt }: AppliedInDeps): AppliedIn {
  const spaces = new LRUCache<string, string, number>({
    max: mostRemembered,
    fetchMethod: async (_agentKey, _stale, { context: from }) => spaceIn(await messageAt(from)) ?? unknownSpace,
    ignoreFetchAbort: true,
  });
  const spaceOf = (agentKey: string, from: number) =>
    spaces.fetch(agentKey, { context: from }).catch(() => unknownSpace);
  const isIn = async (space: string, deferrals: readonly Deferral[]) => {
    const keys = deferrals.map(({ aggregate }) => aggregate);
    const { agents } = readModel.contents().collections;
    const rows = await agents.find({ _id: { $in: keys } }, { projection: { space: 1 } }).toArray();
    const known = new Map(rows.map((row) => [row._id, row.space]));
    return Promise.all(
      deferrals.map(async ({ aggregate, from }) => {
        const of = known.get(aggregate) ?? (await spaceOf(aggregate, from));
        return of === space;
      }),
    );
  };
  return async (space) => {
    const deferrals = readModel.status()[0]?.deferrals ?? [];
    if (deferrals.length === 0) return undefined;
    const counts = await isIn(space, deferrals);
    const sequences = deferrals.filter((_, index) => counts[index]).map(({ from }) => from);
    if (sequences.length === 0) return undefined;
    return formatPosition({ stream: memoryStream.name, sequence: Math.min(...sequences) - 1 });
  };
}

/** The space that an event names, also one that cannot be read otherwise. */
function spaceIn(message: StoredMessage | undefined): string | undefined {
  if (!message) return undefined;
  try {
    const data: { space?: unknown } | null = JSON.parse(Buffer.from(message.data).toString('utf8'));
    return typeof data?.space === 'string' ? data.space : undefined;
  } catch {
    return undefined;
  }
}
