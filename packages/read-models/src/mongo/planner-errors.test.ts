import { createLogger, messageOf } from '@mneme/service-kit';
import { expect, it } from 'vitest';
import { useTestSystem } from '../testing/test-read-model.ts';

const system = useTestSystem();

async function logged(failing: Promise<unknown>) {
  const error = await failing.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
  const lines: string[] = [];
  createLogger({ destination: { write: (line) => lines.push(line) } }).error(
    { err: error, reason: messageOf(error) },
    'x',
  );
  return lines.join('');
}

it('a query that MongoDB cannot plan is logged without what was asked', async () => {
  const units = system.parts.db.collection('units');
  await units.createIndex({ other: 1 });
  const asked = { words: /secretdiagnosis\n :: caused by :: secretdiagnosis/, text: 'secretdiagnosis' };
  const line = await logged(units.find(asked, { hint: { words: 1 }, sort: { at: -1 } }).toArray());
  expect(line).not.toContain('secretdiagnosis');
  expect(JSON.parse(line).err).toMatchObject({
    message: expect.stringMatching(
      /^error processing query: .*hint provided does not correspond to an existing index$/,
    ),
    code: 2,
    codeName: 'BadValue',
    stack: expect.stringContaining('\n    at '),
  });
});

it('a row that MongoDB refuses is logged without its values', async () => {
  const rows = system.parts.db.collection<{ _id: string }>('rows');
  await rows.insertOne({ _id: 'secretdiagnosis' });
  const line = await logged(rows.insertOne({ _id: 'secretdiagnosis' }));
  expect(line).not.toContain('secretdiagnosis');
  expect(line).toContain('E11000 duplicate key error collection');
  const pushed = rows.updateOne({ _id: 'secretdiagnosis' }, { $push: { _id: 'secretdiagnosis' } as never });
  expect(await logged(pushed)).not.toContain('secretdiagnosis');
});
