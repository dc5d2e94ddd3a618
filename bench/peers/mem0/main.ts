// npm run bench -- peers/mem0 [--rounds 3] [--requests 200] [--concurrency 8] [--dimensions 512] [--apart] [--json]
// The same adds and searches through mem0 and through Mneme, on the same servers and models, in one run.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startStack } from '@mneme/local-stack';
import { forkServer } from '../../src/system/fork-server.ts';
import { readOptions } from '../../src/system/options.ts';
import { withTemporaryFolder } from '../../src/system/running-system.ts';
import { describeMachine } from '../../src/timing/machine.ts';
import { createFloor } from './floor-contender.ts';
import { measure } from './measure.ts';
import { createMem0 } from './mem0-contender.ts';
import { startMneme } from './mneme-contender.ts';
import { figuresOf, peersTable } from './report.ts';

const { json, apart, dimensions, ...options } = readOptions(
  { rounds: 3, requests: 200, concurrency: 8, dimensions: 512 },
  ['apart'],
);

const contenders = await withTemporaryFolder(async (folder) => {
  await using stopping = new AsyncDisposableStack();
  const models = await forkServer(join(import.meta.dirname, 'model-process.ts'), { DIMENSIONS: String(dimensions) });
  stopping.defer(() => models.stop());
  // mem0 is used as it comes, and its store asks for no key unless told so.
  const stack = await startStack({ dataDir: join(folder, 'servers'), authentication: 'none' });
  stopping.defer(() => stack.stop());
  const common = { modelUrl: models.url, qdrantUrl: stack.qdrantUrl, folder };
  const mneme = {
    name: apart ? 'Mneme, a process for each service' : 'Mneme',
    servers: stack.settings,
    isApart: apart,
  };
  const rivals = [
    await startMneme({ ...common, ...mneme, folder: join(folder, 'services') }),
    await createMem0({ name: 'mem0', ...common, isUncompressed: false }),
    await createMem0({ name: 'mem0, uncompressed', ...common, isUncompressed: true }),
    await createFloor('floor', models.url, stack.qdrantUrl),
  ];
  for (const rival of rivals) stopping.defer(() => rival.close());
  const rounds = await measure(rivals, options, (line) => console.error(line));
  return rivals.map((rival) => figuresOf(rival.name, rounds.get(rival) ?? []));
});
const report = { machine: describeMachine(), versions: await versions(), dimensions, ...options, contenders };
console.log(json ? JSON.stringify(report, null, 2) : peersTable(report));

async function versions(): Promise<Record<string, string>> {
  const { dependencies } = JSON.parse(await readFile(join(import.meta.dirname, 'package.json'), 'utf8'));
  return { mem0ai: dependencies.mem0ai, '@qdrant/js-client-rest': dependencies['@qdrant/js-client-rest'] };
}
