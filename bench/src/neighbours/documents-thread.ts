// Stores the documents of the other agents. A thread, since ten texts of several MiB are made and sent in one moment, and
// the requests that are timed are not to wait for that.
import { parentPort, workerData } from 'node:worker_threads';
import { createHttpClient, type HttpClient } from '../system/http-client.ts';
import { storeInBackground } from '../system/store-in-background.ts';
import { textOfSentences } from '../timing/sentences.ts';
import type { LargeDocuments } from './large-documents.ts';

/** What a request has besides the document, in bytes. */
const restOfRequest = 4_096;

const { url, agents, mebibytes, versions } = workerData as LargeDocuments;
const bytes = mebibytes * 2 ** 20 - restOfRequest;
const documents = Array.from({ length: agents }, (_, agent) =>
  Array.from({ length: versions }, (__, version) => textOfSentences(bytes, 100 * agent + version + 1)),
);

parentPort?.once('message', async () => {
  const client = createHttpClient(url);
  const units = await Promise.all(documents.map((contents, agent) => replaceDocument(client, agent, contents)));
  client.close();
  parentPort?.postMessage(units.reduce((sum, count) => sum + count, 0));
});
parentPort?.postMessage('ready');

/** Stores one version after the other. @returns how many units the last one has */
async function replaceDocument(client: HttpClient, agent: number, contents: readonly string[]): Promise<number> {
  const agent_id = `bench-large-${agent}`;
  for (const content of contents) {
    await storeInBackground(client, { agent_id, document_id: 'book', items: [{ content }] });
  }
  const { total_nodes } = (await client.get(`/api/stats/${agent_id}`)) as { total_nodes: number };
  return total_nodes;
}
