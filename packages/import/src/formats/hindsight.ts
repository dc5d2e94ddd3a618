import { documentFound, type Found, leftOut } from '../found.ts';
import { toItems } from '../items.ts';
import { readableMetadata } from './foreign-metadata.ts';
import { firstGiven, firstText, isObject, type RecordFormat } from './record-format.ts';

type Fields = Record<string, unknown>;

/** Documents and memory units of Hindsight, as its HTTP API returns them: each becomes a document. */
export const hindsight: RecordFormat = {
  recognises: (record) => 'fact_type' in record || 'original_text' in record || 'memory_unit_count' in record,
  read: (record, place) => {
    if (!isObject(record) || firstText(record.id) === undefined) {
      throw new Error('it is no document and no memory unit of Hindsight with an id');
    }
    return ['fact_type' in record ? readUnit(record, place) : readDocument(record, place)];
  },
};

function readDocument(record: Fields, place: string): Found {
  const content = firstText(record.original_text);
  if (content === undefined) {
    throw new Error('the document has no original_text; a list has none, GET .../documents/{id} has');
  }
  const date = firstGiven(record.created_at, record.updated_at);
  const metadata = metadataOf(record, record.document_metadata);
  return documentFound({ id: `hindsight/document/${record.id}`, place, items: toItems({ content, date, metadata }) });
}

/** Observations are derived from other units, and units that were invalidated are not true any more. */
function readUnit(record: Fields, place: string): Found {
  const { id, fact_type, state, context } = record;
  const content = firstText(record.text);
  if (fact_type === 'observation' || state === 'invalidated') return leftOut;
  if (content === undefined) throw new Error('the memory unit has no text');
  const date = firstGiven(record.occurred_start, record.mentioned_at, record.date);
  // What the agent did or thinks itself; without a role nothing of it could be its own.
  const role = fact_type === 'world' ? undefined : 'assistant';
  const items = toItems({ content, date, context, role, metadata: metadataOf(record, record.metadata) });
  return documentFound({ id: `hindsight/unit/${id}`, place, items });
}

function metadataOf({ tags, document_id }: Fields, metadata: unknown): Fields {
  return readableMetadata({ tags, document_id, ...(isObject(metadata) ? metadata : {}) });
}
