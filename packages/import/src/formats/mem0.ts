import { documentFound } from '../found.ts';
import { toItems } from '../items.ts';
import { readableMetadata } from './foreign-metadata.ts';
import { firstGiven, firstText, isObject, type RecordFormat } from './record-format.ts';

/** Whose memory it is, which becomes metadata. */
const owners = ['user_id', 'agent_id', 'app_id', 'run_id', 'categories'];

/** Memories of mem0, as `get_all` returns them: each becomes a document. */
export const mem0: RecordFormat = {
  recognises: (record) => 'memory' in record && (typeof record.memory === 'string' || record.memory === null),
  read: (record, place) => {
    const content = isObject(record) ? firstText(record.memory) : undefined;
    const id = isObject(record) ? firstText(record.id) : undefined;
    if (!isObject(record) || content === undefined || id === undefined) {
      throw new Error('it is no memory of mem0 with an id and a text');
    }
    const metadata = readableMetadata({ ...ownersOf(record), ...(isObject(record.metadata) ? record.metadata : {}) });
    const date = firstGiven(record.created_at, record.updated_at);
    return [documentFound({ id: `mem0/${id}`, place, items: toItems({ content, date, metadata }) })];
  },
};

function ownersOf(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(owners.map((name) => [name, record[name]]));
}
