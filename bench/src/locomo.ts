// npm run bench -- locomo <folder> [--json]
// Stores conversations and asks their questions through HTTP: of MNEME_URL, or of a system of its own that ends with it.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConversations } from './recall/conversation.ts';
import { measureRecall } from './recall/measure-recall.ts';
import { recallReport, recallTable } from './recall/recall-report.ts';
import { createHttpClient } from './system/http-client.ts';
import { startSystem, withTemporaryFolder } from './system/running-system.ts';

const { values: options, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [folder] = positionals;
if (!folder) throw new Error('Name the folder with the conversations: npm run bench -- locomo <folder>');

// npm runs this in the project's folder; INIT_CWD is where the person is.
const conversations = await readConversations(resolve(process.env.INIT_CWD ?? '.', folder));
const givenUrl = process.env.MNEME_URL;
const report = await (givenUrl ? measure(givenUrl) : measureOwnSystem());
console.log(options.json ? JSON.stringify(report, null, 2) : recallTable(report));

async function measure(url: string) {
  const client = createHttpClient(url);
  try {
    return recallReport(await measureRecall(client, conversations));
  } finally {
    client.close();
  }
}

function measureOwnSystem() {
  return withTemporaryFolder(async (dataDir) => {
    const system = await startSystem(dataDir);
    try {
      return await measure(system.url);
    } finally {
      await system.stop();
    }
  });
}
