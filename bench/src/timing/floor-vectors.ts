import { createHashedEmbeddings } from '@mneme/models';
import type { QdrantClient } from '@qdrant/js-client-rest';

/** Vectors of the floor: as long as those of the system's embedding model, whatever it is, without asking it. */
export type FloorVectors = (text: string) => Promise<number[]>;

/** @param collection of the system, which has the length of its vectors */
export async function openFloorVectors(qdrant: QdrantClient, collection: string): Promise<FloorVectors> {
  const { config } = await qdrant.getCollection(collection);
  const { dense } = config.params.vectors as { readonly dense?: { readonly size: number } };
  if (!dense) throw new Error(`${collection} has no dense vectors`);
  const words = createHashedEmbeddings();
  return async (text) => {
    const [vector = new Float32Array(1)] = await words.embed([text]);
    return Array.from({ length: dense.size }, (_, index) => vector[index % vector.length] ?? 0);
  };
}
