import { expect, it } from 'vitest';
import { welcome } from './welcome.ts';

const options = {
  url: 'http://127.0.0.1:8123',
  dataDir: '/data',
  logFile: '/data/log',
  models: 'Built-in models.',
  token: 'a.b.c',
  isGuarded: false,
  command: 'npm run mneme --',
  unready: [],
};
const text = welcome(options);

it('says on a line of its own where Mneme answers', () => {
  expect(text.split('\n')).toContain('Mneme is ready: http://127.0.0.1:8123');
});

it('gives requests to copy that are well-formed', () => {
  const bodies = [...text.matchAll(/-d '([^']+)'/g)].map(([, body]) => JSON.parse(body ?? ''));
  expect(bodies).toEqual([
    { agent_id: 'demo', items: [{ content: expect.stringContaining('Lisbon') }] },
    { agent_id: 'demo', query: 'Where does Alice live?' },
    { project_id: 1, name: 'My assistant' },
  ]);
});

it('shows a token where it has made one', () => {
  expect(text).toContain('a.b.c');
  expect(welcome({ ...options, token: undefined })).not.toContain('oken');
});

it('sends a credential along where one is needed', () => {
  const requests = (welcomed: string) => welcomed.split('\n').filter((line) => line.includes('curl'));
  expect(requests(text).filter((line) => line.includes('$TOKEN'))).toHaveLength(1);
  const guarded = requests(welcome({ ...options, isGuarded: true }));
  expect(guarded).toHaveLength(requests(text).length);
  expect(guarded.every((line) => line.includes('$TOKEN'))).toBe(true);
});

it('says which read models cannot answer yet, and how to follow them', () => {
  const reason = 'The read model memory is being built in the form of this release';
  const lines = welcome({ ...options, unready: [reason] }).split('\n');
  expect(lines).toContain(`${reason}.`);
  expect(lines.find((line) => line.includes('503'))).toMatch(/npm run mneme -- read-models$/);
  expect(text).not.toContain('503');
});
