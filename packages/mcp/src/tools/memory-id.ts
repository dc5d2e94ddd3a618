import { z } from 'zod';

export const unitId = z.uuid('must be the exact id of a memory, as recall and list_memories show it');

/** What a model is told to do if there is no memory with an id. */
export const ifNoMemory = 'Ids come from recall and list_memories; it may have been forgotten.';
