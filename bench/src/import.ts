// npm run bench -- import [--items 12000] [--batch 1000] [--seconds 30] [--tail 60] [--json]
// What an agent in the same lane as a bulk import notices of it, beside one in another lane.
import { importTable } from './import/import-report.ts';
import { measureImport } from './import/measure-import.ts';
import { createHttpClient } from './system/http-client.ts';
import { readOptions } from './system/options.ts';
import { startSystem, withTemporaryFolder } from './system/running-system.ts';
import { describeMachine } from './timing/machine.ts';

const { json, ...options } = readOptions({ items: 12_000, batch: 1_000, seconds: 30, tail: 60 });

const report = await withTemporaryFolder(async (folder) => {
  await using closing = new AsyncDisposableStack();
  const system = await startSystem(folder);
  closing.defer(() => system.stop());
  const client = createHttpClient(system.url);
  closing.defer(() => client.close());
  return { machine: describeMachine(), options, ...(await measureImport(client, options)) };
});
console.log(json ? JSON.stringify(report, null, 2) : importTable(report));
