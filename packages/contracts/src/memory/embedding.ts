import { z } from 'zod';
import { defineEvent, type EventOf, eventCatalog } from '../events/definition.ts';

/** From here on memories are embedded by this model; one log has one model at a time. */
export const embeddingModelChosen = defineEvent({
  type: 'EmbeddingModelChosen',
  version: 1,
  schema: z.object({ embeddingModel: z.string() }),
});

/** What another embedding model makes of the texts of one event, which keeps its own vectors. */
export const vectorsAdded = defineEvent({
  type: 'VectorsAdded',
  version: 1,
  schema: z.object({
    embeddingModel: z.string(),
    /** The sequence of the event that the vectors are for. */
    of: z.int().min(1),
    /** In the order of the event's facts or opinions; little-endian float32 values in base64. */
    vectors: z.array(z.string()),
  }),
});

/** Events of the `MEMORY` stream that are about vectors only; the read model's projection passes over them. */
export const embeddingEvents = eventCatalog([embeddingModelChosen, vectorsAdded]);
export type EmbeddingEvent = EventOf<typeof embeddingEvents>;
