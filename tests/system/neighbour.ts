import { agentKey, partitionOf } from '@mneme/contracts';

/** Another agent of the same partition as one of the public space, and thus of the same lane. */
export function neighbourOf(agentId: string): string {
  const laneOf = (id: string) => partitionOf(agentKey({ space: 'public', agentId: id }));
  for (let number = 1; ; number += 1)
    if (laneOf(`neighbour-${number}`) === laneOf(agentId)) return `neighbour-${number}`;
}
