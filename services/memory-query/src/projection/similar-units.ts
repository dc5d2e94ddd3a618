import { lastUncompared } from '../links/link-settings.ts';
import { type Comparable, cosine } from '../links/similarity.ts';
import type { EmbeddedUnit } from '../links/surroundings.ts';
import type { WorkingSet } from '../read-model/working-set.ts';

/** What a unit is compared with. */
export interface ComparedUnits {
  readonly set: Pick<WorkingSet, 'agents'>;
  /** From this cosine on, units are similar. */
  readonly linkCosine: number;
  /** What the stores have found for it, with the exact cosine; undefined when it has no vector. */
  readonly stored: readonly Comparable[] | undefined;
  /** The units of the same chunk that are compared already. They may be of other agents. */
  readonly chunk: readonly EmbeddedUnit[];
}

/**
 * The units that a unit may be linked to or may repeat, among the agent's newest: what the stores have found, and those of its
 * chunk that are similar. The same for all units, whether their vectors come with them or later.
 */
export function similarUnits(
  { unit, vector }: EmbeddedUnit,
  { set, linkCosine, stored = [], chunk }: ComparedUnits,
): Comparable[] {
  const ofAgent = chunk.filter((other) => other.unit.agentKey === unit.agentKey);
  const alike = ofAgent.flatMap((other) => {
    const likeness = cosine(vector, other.vector);
    return likeness < linkCosine ? [] : [{ ...other.unit, cosine: likeness }];
  });
  const uncompared = lastUncompared(unitCountIn(set, unit.agentKey));
  return [...stored, ...alike].filter(({ _id, ordinal }) => _id !== unit._id && ordinal > uncompared);
}

/** A unit of a batch that is compared, and is in the vector index. */
export type WrittenUnit = Comparable & { readonly vector: Float32Array };

export function writtenUnit({ unit, vector }: EmbeddedUnit): WrittenUnit {
  return { ...unit, cosine: 0, vector };
}

/** How many units an agent has ever had. */
export function unitCountIn({ agents }: Pick<WorkingSet, 'agents'>, agentKey: string): number {
  return agents.get(agentKey)?.unitCount ?? 0;
}

/** Counts one unit fewer as created by an operation, because it only repeats another. */
export function uncountRepeated({ operations }: Pick<WorkingSet, 'operations'>, operationId: string): void {
  const operation = operations.get(operationId);
  if (operation) operations.set(operationId, { ...operation, unitsCreated: operation.unitsCreated - 1 });
}
