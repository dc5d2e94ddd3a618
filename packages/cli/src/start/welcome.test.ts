import { expect, it } from 'vitest';
import { welcome } from './welcome.ts';

const text = welcome({
  url: 'http://127.0.0.1:8123',
  dataDir: '/data',
  logFile: '/data/log',
  models: 'Built-in models.',
});

it('says on a line of its own where Mneme answers', () => {
  expect(text.split('\n')).toContain('Mneme is ready: http://127.0.0.1:8123');
});

it('gives requests to copy that are well-formed', () => {
  const bodies = [...text.matchAll(/-d '([^']+)'/g)].map(([, body]) => JSON.parse(body ?? ''));
  expect(bodies).toEqual([
    { agent_id: 'demo', items: [{ content: expect.stringContaining('Lisbon') }] },
    { agent_id: 'demo', query: 'Where does Alice live?' },
  ]);
});
