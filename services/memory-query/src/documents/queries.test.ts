import { createHash, randomUUID } from 'node:crypto';
import type { MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { MongoServerError } from 'mongodb';
import { expect, it } from 'vitest';
import { createLogWriter } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';
import { findDocument, getDocument, listDocuments, supersededBy } from './queries.ts';

const stores = useStores();

async function afterApplying(...events: readonly Recorded<MemoryEvent>[]) {
  const { readModel, project } = await stores.open();
  await project().apply(events);
  return (operationId: string, space = 'public') => supersededBy(readModel, { space, operationId });
}

const [earlier, appended, later] = [randomUUID(), randomUUID(), randomUUID()];

it('a batch is superseded when a later version of its document is stored, not before', async () => {
  const log = createLogWriter();
  const submitted = [
    log.submitted(earlier, 'doc', 'Ana was in Rome.'),
    log.appended(log.submitted(appended, 'doc', 'Ana was in Oslo.')),
    log.submitted(later, 'doc', 'Ana was in Bonn.'),
  ];
  const before = [
    ...submitted,
    await log.extracted(earlier, 'doc', 'Ana was in Rome.'),
    await log.extracted(appended, 'doc', 'Ana was in Oslo.'),
  ];
  const pending = await afterApplying(...before);
  expect([await pending(earlier), await pending(appended), await pending(later)]).toEqual([null, null, null]);
  const stored = await afterApplying(...before, await log.extracted(later, 'doc', 'Ana was in Bonn.'));
  expect([await stored(earlier), await stored(appended), await stored(later)]).toEqual([3, 3, null]);
  expect(await stored(earlier, 'another')).toBe(null);
});

it('a batch is superseded when its document is deleted', async () => {
  const log = createLogWriter();
  const ask = await afterApplying(
    log.submitted(earlier, 'doc', 'Ana was in Rome.'),
    await log.extracted(earlier, 'doc', 'Ana was in Rome.'),
    log.deleted('doc'),
    log.submitted(later, 'doc', 'Ana was in Bonn.'),
  );
  expect([await ask(earlier), await ask(later)]).toEqual([3, null]);
});

it('a batch without a document, or one that is not known, is not superseded', async () => {
  const log = createLogWriter();
  const ask = await afterApplying(
    log.submitted(earlier, null, 'Ana was in Rome.'),
    await log.extracted(earlier, null, 'Ana was in Rome.'),
  );
  expect([await ask(earlier), await ask(randomUUID())]).toEqual([null, null]);
});

it('a document that has grown to more than 6 MiB is not sent, and says what to do instead; its hash is', async () => {
  const log = createLogWriter();
  const line = 'Ana was in Rome.';
  const appended = Array.from({ length: 3 }, () => randomUUID());
  const { readModel, project } = await stores.open();
  const diary = { space: 'public', agentId: 'alice', documentId: 'diary' };
  const read = () => getDocument(readModel, diary);
  for (const [index, operationId] of appended.entries()) {
    const text = `${line}${'\n'.repeat(2 * 1024 * 1024)}`;
    await project().apply([
      log.appended(log.submitted(operationId, 'diary', text)),
      await log.extracted(operationId, 'diary', line),
    ]);
    if (index === 1) expect((await read()).original_text).toHaveLength(2 * text.length + 1);
  }
  const message = 'The document has more than 6291456 bytes of text; search in it with document_id instead';
  await expect(read()).rejects.toMatchObject({ code: 'document-too-long', message });
  const whole = Array.from({ length: 3 }, () => `${line}${'\n'.repeat(2 * 1024 * 1024)}`).join('\n');
  expect(await getDocument(readModel, { ...diary, withoutText: true })).toMatchObject({
    original_text: '',
    content_hash: createHash('sha256').update(whole).digest('hex'),
  });
});

it('a document is found while its first version is being stored, unless it was deleted since', async () => {
  const log = createLogWriter();
  const { readModel, project } = await stores.open();
  const after = async (...events: readonly Recorded<MemoryEvent>[]) => {
    await project().apply(events);
    return (await findDocument(readModel, { space: 'public', agentId: 'alice', documentId: 'doc' })).unitCount;
  };
  expect(await after(log.submitted(randomUUID(), 'other', 'Ana was in Rome.'))).toBe(null);
  expect(await after(log.submitted(earlier, 'doc', 'Ana was in Rome.'))).toBe(0);
  expect(await after(log.deleted('doc'))).toBe(null);
  expect(await after(log.submitted(later, 'doc', 'Ana was in Bonn.'))).toBe(0);
  expect(await after(await log.extracted(earlier, 'doc', 'Ana was in Rome.'))).toBe(0);
  expect(await after(await log.extracted(later, 'doc', 'Ana was in Bonn.'))).toBe(1);
  expect(await after(log.deleted('doc'))).toBe(null);
});

/** A document with two facts, and another one. */
async function twoDocuments() {
  const log = createLogWriter();
  const { readModel, project, maintain } = await stores.open();
  await project().apply([
    ...(await log.batch('other', 'other', 'Ben was in Oslo.')),
    log.submitted(earlier, 'doc', 'Ana was in Rome.\nAna was in Paris.'),
    await log.extracted(earlier, 'doc', 'Ana was in Rome.', 'Ana was in Paris.'),
  ]);
  /** Applies events, and removes everything that they remove. */
  const change = async (events: readonly Recorded<MemoryEvent>[]) => {
    await project().apply(events);
    await maintain();
  };
  return { log, readModel, change, doc: { space: 'public', agentId: 'alice', documentId: 'doc' } };
}

const changesOf = (log: ReturnType<typeof createLogWriter>) => ({
  deleted: async () => [log.deleted('doc')],
  replaced: async () => [
    log.submitted(later, 'doc', 'Ana was in Bonn.'),
    await log.extracted(later, 'doc', 'Ana was in Bonn.'),
  ],
  appended: async () => [
    log.appended(log.submitted(later, 'doc', 'Ana was in Bonn.')),
    await log.extracted(later, 'doc', 'Ana was in Bonn.'),
  ],
  erased: async () => [log.erased()],
});

it.each(['deleted', 'replaced', 'appended', 'erased'] as const)(
  'a document that is %s while it is read is read as it was before',
  async (kind) => {
    const { log, readModel, change, doc } = await twoDocuments();
    const before = await getDocument(readModel, doc);
    expect(before).toMatchObject({ original_text: 'Ana was in Rome.\nAna was in Paris.', memory_unit_count: 2 });
    const events = await changesOf(log)[kind]();
    const { documents } = readModel.collections;
    const findOne = async (...asked: Parameters<typeof documents.findOne>) => {
      const row = await documents.findOne(...asked);
      await change(events);
      return row;
    };
    const collections = { ...readModel.collections, documents: { findOne } as unknown as typeof documents };
    expect(await getDocument({ ...readModel, collections }, doc)).toEqual(before);
  },
);

it.each(['deleted', 'replaced', 'appended', 'erased'] as const)(
  'a page of documents of which one is %s meanwhile, and their number, are as they were before',
  async (kind) => {
    const { log, readModel, change, doc } = await twoDocuments();
    const page = { ...doc, limit: 1, offset: 0 };
    const before = await listDocuments(readModel, page);
    expect(before).toMatchObject({ items: [{ id: 'doc', memory_unit_count: 2 }], total: 2 });
    const events = await changesOf(log)[kind]();
    const { documents } = readModel.collections;
    const countDocuments = async (...asked: Parameters<typeof documents.countDocuments>) => {
      await change(events);
      return documents.countDocuments(...asked);
    };
    const changing = { find: documents.find.bind(documents), countDocuments } as unknown as typeof documents;
    const collections = { ...readModel.collections, documents: changing };
    expect(await listDocuments({ ...readModel, collections }, page)).toEqual(before);
  },
);

it.each([
  [2, true],
  [3, false],
])('a read that the server cuts off %i times is answered: %s', async (times, isAnswered) => {
  const { readModel, doc } = await twoDocuments();
  const { documents } = readModel.collections;
  let left = times;
  const findOne = async (...asked: Parameters<typeof documents.findOne>) => {
    const row = await documents.findOne(...asked);
    left -= 1;
    if (left < 0) return row;
    throw new MongoServerError({ message: 'There is another primary', errorLabels: ['TransientTransactionError'] });
  };
  const collections = { ...readModel.collections, documents: { findOne } as unknown as typeof documents };
  const reading = getDocument({ ...readModel, collections }, doc);
  if (isAnswered) expect(await reading).toEqual(await getDocument(readModel, doc));
  else await expect(reading).rejects.toThrow('There is another primary');
});
