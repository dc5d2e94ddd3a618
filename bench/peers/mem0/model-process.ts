// The stand-in model server, in a process of its own, so that it works beside both contenders in the same way.
import { type ModelRequest, startModelServer } from '@mneme/models/testing';

const server = await startModelServer({ dimensions: Number(process.env.DIMENSIONS), keepsRequests: false });
server.replies.always('extract', factsFor);
server.replies.always(({ body }) => body.response_format !== undefined, factsFor);
// The channel ends with the process that started this one, however that ends.
process.once('disconnect', () => void server.stop());
process.send?.(server.url);

const mnemeText = /<text-\w+>\n(.*?)\n<\/text-/s;
const mem0Text = /## New Messages\nuser: (.*?)\n\n## Observation Date/s;
const name = /\b[A-Z]\w+(?: [A-Z]\w+)+/g;

/** The same answer in the form that each asks for: what was said is one fact. mem0 finds names by itself, Mneme is told them. */
function factsFor({ task, prompt }: ModelRequest) {
  const text = ((task === 'extract' ? mnemeText : mem0Text).exec(prompt)?.[1] ?? '').trim();
  if (task !== 'extract') return { json: { memory: [{ id: '0', text, attributed_to: 'user' }] } };
  const entities = [...text.matchAll(name)].map(([found]) => ({ name: found, type: 'PERSON' }));
  return { json: { facts: [{ text, type: 'world', date: null, entities }] } };
}
