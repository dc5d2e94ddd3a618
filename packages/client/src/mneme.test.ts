import { describe, expect, it } from 'vitest';
import type { Agent } from './agent.ts';
import { MnemeError } from './http/error.ts';
import { Mneme, type MnemeOptions } from './mneme.ts';
import { json, problem, scriptedFetch } from './testing/scripted-fetch.ts';

const found = json({ results: [], trace: null });
const stored = (position: string) => json({ success: true }, { headers: { 'x-event-position': position } });
const soon = { 'retry-after': '0' };

function clientOf({ fetch }: Pick<MnemeOptions, 'fetch'>, options: MnemeOptions = {}): Mneme {
  return new Mneme({ baseUrl: 'http://mneme.test/base/', fetch, ...options });
}

describe('a request', () => {
  it('has the credential, the space, and the fields as the API names them', async () => {
    const script = scriptedFetch(found);
    const since = new Date('2026-01-01');
    const agent = clientOf(script, { apiKey: 'sk-1', spaceId: 7 }).agent('alice');
    await agent.recall('Where?', {
      limit: 3,
      maxTokens: 9,
      types: ['world'],
      since,
      documentId: 'd',
      filter: { a: 1 },
    });
    expect(script.sent[0]).toMatchObject({ method: 'POST', url: 'http://mneme.test/base/api/search' });
    expect(script.sent[0]?.body).toEqual({
      query: 'Where?',
      agent_id: 'alice',
      fact_type: ['world'],
      limit: 3,
      max_tokens: 9,
      since: '2026-01-01T00:00:00.000Z',
      document_id: 'd',
      metadata: { a: 1 },
    });
    expect(Object.fromEntries(script.sent[0]?.headers ?? [])).toEqual({
      accept: 'application/json',
      authorization: 'Bearer sk-1',
      'content-type': 'application/json',
      'x-space-id': '7',
    });
  });

  it('that waits no longer than it is told takes 504 for the answer', async () => {
    const script = scriptedFetch(problem(504, { operation_id: 'o-1' }, soon), found);
    const remembering = clientOf(script).agent('a').remember('x', { waitSeconds: 3 });
    await expect(remembering).rejects.toMatchObject({ status: 504, body: { operation_id: 'o-1' } });
    expect(script.sent.map(({ headers }) => headers.get('prefer'))).toEqual(['wait=3']);
  });

  it('to retry a dead letter takes 504 for the answer, since the retry goes on', async () => {
    const script = scriptedFetch(problem(504, {}, soon), json({}));
    await expect(clientOf(script).system.retryDeadLetter(7)).rejects.toMatchObject({ status: 504 });
    expect(script.sent).toHaveLength(1);
  });

  it('waits for whole seconds, which are all that the server counts', async () => {
    const script = scriptedFetch(stored('MEMORY:1'));
    const agent = clientOf(script).agent('a');
    for (const waitSeconds of [0, 0.5, 2.01]) await agent.remember('x', { waitSeconds });
    expect(script.sent.map(({ headers }) => headers.get('prefer'))).toEqual(['wait=0', 'wait=1', 'wait=3']);
  });

  it('for the context of a text that was cut within a character can be encoded', async () => {
    const script = scriptedFetch(found);
    expect(await clientOf(script).agent('a').context('hi \ud83d')).toBe('');
    expect(script.sent[0]?.body).toMatchObject({ query: 'hi \ufffd' });
  });

  it('for a page has its part of the list', async () => {
    const script = scriptedFetch(json({ items: [], total: 9, limit: 2, offset: 4 }));
    const { memories, documents } = clientOf(script).agent('a');
    expect(await memories.page({ q: 'x', limit: 2, offset: 4 })).toMatchObject({ total: 9 });
    await documents.page();
    expect(script.sent.map(({ url }) => url.slice('http://mneme.test/base'.length))).toEqual([
      '/api/list?agent_id=a&q=x&limit=2&offset=4',
      '/api/documents?agent_id=a',
    ]);
  });

  it('for the use of a key has the time as it was given, also without an offset that `Date` reads', async () => {
    const script = scriptedFetch(json({ buckets: [] }));
    const { keys } = clientOf(script);
    for (const since of ['2026-11-20T10:00:00', '2026-11-20T10:00:00+02', new Date(0), undefined]) {
      await keys.usage(7, { projectId: 1, since });
    }
    expect(script.sent.map(({ url }) => new URL(url).searchParams.get('since'))).toEqual([
      '2026-11-20T10:00:00',
      '2026-11-20T10:00:00+02',
      '1970-01-01T00:00:00.000Z',
      null,
    ]);
  });

  it('asks for the credential at each try, so that it can be renewed', async () => {
    const script = scriptedFetch(problem(503, {}, soon), found);
    const tokens = ['token-1', 'token-2'];
    await clientOf(script, { apiKey: async () => tokens.shift() ?? '' })
      .agent('a')
      .recall('q');
    expect(script.sent.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
  });

  it('encodes ids in paths, and refuses those that would lead to another path', async () => {
    const script = scriptedFetch(json({}));
    const { documents } = clientOf(script).agent('a b');
    await documents.get('x/../y?z=ü');
    expect(script.sent[0]?.url).toContain('/api/documents/x%2F..%2Fy%3Fz%3D%C3%BC?agent_id=a+b');
    for (const id of ['', '.', '..']) {
      await expect(documents.delete(id)).rejects.toThrow(/document_id must not be/);
    }
    expect(script.sent).toHaveLength(1);
  });
});

describe('what cannot be sent', () => {
  const circle: Record<string, unknown> = {};
  circle.circle = circle;
  const never = new Date('nope');
  const odd = (value: unknown) => value as never;

  it.each<[string, (agent: Agent, mneme: Mneme) => Promise<unknown>, string]>([
    ['a Date without a time', (agent) => agent.recall('x', { since: never }), 'invalid Date'],
    ['that of an item', (agent) => agent.remember({ content: 'x', eventDate: never }), 'invalid Date'],
    ['that of a graph', (agent) => agent.graph({ until: never }), 'invalid Date'],
    ['that of a question', (agent) => agent.think('x', { questionDate: never }), 'invalid Date'],
    ['that of the use of a key', (_, { keys }) => keys.usage(7, { projectId: 1, since: never }), 'invalid Date'],
    ['that of a replay', (_, { webhooks }) => webhooks.replayAll(7, { since: never }), 'invalid Date'],
    ['that of metadata', (agent) => agent.remember({ content: 'x', metadata: { d: odd(never) } }), 'd is Invalid Date'],
    ['a BigInt', (agent) => agent.remember({ content: 'x', metadata: { n: odd(1n) } }), 'BigInt'],
    ['a circle', (agent) => agent.remember({ content: 'x', metadata: odd(circle) }), 'circular'],
    ['a number that is none', (agent) => agent.recall('x', { minScore: Number.NaN }), 'min_score is NaN'],
    ['a time that is none', (agent) => agent.remember('x', { waitSeconds: Number.NaN }), 'waitSeconds must be'],
    ['an agent without a name', async (_, mneme) => mneme.agent(odd(undefined)), 'an agent must be a text'],
    ['one whose name is null', async (_, mneme) => mneme.agent(odd(null)), 'not empty: null'],
    ['one whose name is empty', async (_, mneme) => mneme.agent(''), "not empty: ''"],
    ['one whose name is a number', async (_, mneme) => mneme.agent(odd(7)), 'not empty: 7'],
    [
      'one without a name in a search',
      (agent) => agent.recall('x', { agentIds: ['a', ''] }),
      'an agent must be a text',
    ],
    ['half a character in a path', (_, mneme) => mneme.agent('a\ud83d').stats(), 'agent_id must not'],
    ['a position', (agent) => agent.recall('x', { after: '\u00fc\u20ac' }), 'The position'],
    ['a space', () => clientOf(scriptedFetch(found), { spaceId: '\u20ac' }).agents.page(), 'The space'],
    ['an unknown option', (agent) => agent.recall('x', odd({ document_id: 'd' })), 'documentId'],
    ['an unknown option of a list', (agent) => agent.memories.list(odd({ document_id: 'd' })).all(), 'documentId'],
    ['a limit of a list', (agent) => agent.memories.list(odd({ limit: 9 })).all(), 'option limit'],
    ['an offset of a list', (agent) => agent.documents.list(odd({ offset: 9 })).all(), 'option offset'],
    ['an unknown option of an export', (_, { tables }) => tables.export(7, 'csv', odd({ limit: 9 })), 'option limit'],
    [
      'an unknown option of a new key',
      (_, { keys }) => keys.regenerate(7, odd({ projectId: 1, overlap_seconds: 60 })),
      'overlapSeconds',
    ],
    ['an unknown option of a context', (agent) => agent.context('x', odd({ max_tokens: 9 })), 'maxTokens'],
    [
      'a field of a key as the API calls it',
      (_, { keys }) => keys.create(odd({ name: 'k', projectId: 1, rate_limit: 9 })),
      'rateLimit',
    ],
    [
      'a field of an item as the API calls it',
      (agent) => agent.remember(odd({ content: 'x', event_date: '2024' })),
      'eventDate',
    ],
    [
      'an unknown condition of a correction',
      (agent) => agent.memories.update('m', odd({ text: 'x', expected_text: 'y' })),
      'expectedText',
    ],
  ])('is refused as an error of a request: %s', async (_, send, detail) => {
    const script = scriptedFetch(found);
    const mneme = clientOf(script);
    const refusal = await send(mneme.agent('a'), mneme).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MnemeError);
    expect(refusal).toMatchObject({ status: 0, code: 'INVALID_REQUEST', detail: expect.stringContaining(detail) });
    expect(script.sent).toEqual([]);
  });

  it('is neither an unknown option that is undefined, nor a field of an item that the server may ignore', async () => {
    const script = scriptedFetch(found);
    const agent = clientOf(script).agent('a');
    await agent.recall('q', odd({ limt: undefined }));
    await agent.remember(odd({ content: 'x', id: 7 }));
    expect(script.sent[1]?.body).toEqual({ agent_id: 'a', items: [{ content: 'x', id: 7 }] });
  });
});

describe('a key that no header can have', () => {
  const refused = { status: 0, code: 'INVALID_REQUEST', message: expect.not.stringContaining('secret') };

  it.each(['sk-secret\nkey', 'sk secret', 'sk-secret\u20ac', ''])(
    'as a credential is refused once, and not shown: %j',
    async (key) => {
      const script = scriptedFetch(found);
      let asked = 0;
      const apiKey = () => {
        asked += 1;
        return key;
      };
      await expect(clientOf(script, { apiKey }).agent('a').recall('q')).rejects.toMatchObject(refused);
      await expect(clientOf(script, { apiKey: key }).agent('a').recall('q')).rejects.toMatchObject(refused);
      expect([asked, script.sent]).toEqual([1, []]);
    },
  );

  it('may end with the line break of the file that it was read from', async () => {
    const script = scriptedFetch(found);
    await clientOf(script, { apiKey: 'sk-1\n' }).agent('a').recall('q');
    expect(script.sent[0]?.headers.get('authorization')).toBe('Bearer sk-1');
  });

  it('of a command is refused', async () => {
    const script = scriptedFetch(stored('MEMORY:1'));
    const remembering = clientOf(script).agent('a').remember('A text.', { idempotencyKey: 'secret \u20ac' });
    await expect(remembering).rejects.toMatchObject(refused);
    expect(script.sent).toEqual([]);
  });
});

describe('retries', () => {
  it.each([
    ['a connection error', new TypeError('fetch failed')],
    ['408', problem(408, {}, soon)],
    ['429', problem(429, {}, soon)],
    ['502 of a proxy', new Response('<html>', { status: 502 })],
    ['503', problem(503, {}, soon)],
    ['504', problem(504, {}, soon)],
  ])('repeat after %s, with one Idempotency-Key', async (_, failure) => {
    const script = scriptedFetch(failure, failure, stored('MEMORY:1'));
    await clientOf(script).agent('a').remember('A text.');
    expect(script.sent).toHaveLength(3);
    const keys = new Set(script.sent.map(({ headers }) => headers.get('idempotency-key')));
    expect([...keys]).toEqual([expect.stringMatching(/^client-[\da-f]{32}$/)]);
  });

  it('repeat a reply that breaks off', async () => {
    const broken = () => new Response(new ReadableStream({ start: (control) => control.error(new Error('reset')) }));
    const script = scriptedFetch(broken, found);
    expect(await clientOf(script).agent('a').recall('q')).toMatchObject({ results: [] });
  });

  it('send the key of the caller, and another one for each command of its own', async () => {
    const script = scriptedFetch(stored('MEMORY:1'));
    const agent = clientOf(script).agent('a');
    await agent.remember('A text.', { idempotencyKey: 'mine' });
    await agent.remember('A text.');
    await agent.remember('A text.');
    const keys = script.sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toBe('mine');
    expect(new Set(keys).size).toBe(3);
  });

  it.each([400, 401, 403, 404, 409, 413, 500])('do not repeat %s', async (status) => {
    const script = scriptedFetch(problem(status));
    await expect(clientOf(script).agent('a').remember('x')).rejects.toMatchObject({ status, name: 'MnemeError' });
    expect(script.sent).toHaveLength(1);
  });

  it('end after as many as were configured', async () => {
    const script = scriptedFetch(problem(503, {}, soon));
    const asked = clientOf(script, { retries: 2 }).agent('a').recall('q');
    await expect(asked).rejects.toMatchObject({ status: 503, retryAfter: 0, requestId: 'r-1' });
    expect(script.sent).toHaveLength(3);
  });

  it('wait as long as Retry-After says', async () => {
    const script = scriptedFetch(problem(429, {}, { 'retry-after': '1' }), found);
    const start = performance.now();
    await clientOf(script).agent('a').recall('q');
    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
  });

  it('leave it to the caller to wait longer than a minute', async () => {
    const script = scriptedFetch(problem(429, { code: 'RATE_LIMITED' }, { 'retry-after': '3600' }));
    await expect(clientOf(script).agent('a').recall('q')).rejects.toMatchObject({ retryAfter: 3_600 });
    expect(script.sent).toHaveLength(1);
  });

  it('repeat a try that takes too long', async () => {
    const script = scriptedFetch('never', found);
    expect(await clientOf(script, { timeoutMs: 20 }).agent('a').recall('q')).toMatchObject({ results: [] });
    const never = clientOf(scriptedFetch('never'), { timeoutMs: 20, retries: 0 });
    await expect(never.agent('a').recall('q')).rejects.toMatchObject({ status: 0, code: 'TIMEOUT' });
  });
});

describe('a signal', () => {
  it('ends a request', async () => {
    const controller = new AbortController();
    const asked = clientOf(scriptedFetch('never')).agent('a').recall('q', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });

  it('ends the waiting between tries', async () => {
    const controller = new AbortController();
    const script = scriptedFetch(problem(503, {}, { 'retry-after': '30' }));
    const asked = clientOf(script).agent('a').recall('q', { signal: controller.signal });
    await expect.poll(() => script.sent.length).toBe(1);
    controller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });

  it('that was aborted before sends nothing', async () => {
    const script = scriptedFetch(found);
    const asked = clientOf(script)
      .agent('a')
      .recall('q', { signal: AbortSignal.abort(new Error('enough')) });
    await expect(asked).rejects.toThrow('enough');
    expect(script.sent).toHaveLength(0);
  });
});

describe('positions', () => {
  const carried = ({ sent }: ReturnType<typeof scriptedFetch>) =>
    sent.map(({ headers }) => headers.get('x-min-event-position'));

  it('of writes are carried by later requests to the same log', async () => {
    const script = scriptedFetch(stored('MEMORY:7'), stored('MEMORY:5'), stored('WEBHOOKS:3'), json([]));
    const mneme = clientOf(script);
    await mneme.agent('a').remember('x');
    await mneme.agent('b').remember('y');
    await mneme.webhooks.create(1, { name: 'w' });
    await mneme.webhooks.list(1);
    await mneme.keys.list(1);
    await mneme.agent('a').stats();
    expect(carried(script)).toEqual([null, 'MEMORY:7', null, 'WEBHOOKS:3', null, 'MEMORY:7']);
    expect(mneme.position).toBe('MEMORY:7');
  });

  it('of another client are waited for, unless an own one is later', async () => {
    const script = scriptedFetch(stored('MEMORY:7'), found);
    const agent = clientOf(script).agent('a');
    await agent.remember('x');
    await agent.recall('q', { after: 'MEMORY:12' });
    await agent.recall('q', { after: 'MEMORY:3' });
    expect(carried(script).slice(1)).toEqual(['MEMORY:12', 'MEMORY:7']);
  });

  it('that a server does not know, because its log is a new one, are forgotten', async () => {
    const unknown = problem(400, {
      code: 'BAD_REQUEST',
      detail: 'Invalid X-Min-Event-Position: there is no such event yet',
    });
    const script = scriptedFetch(stored('MEMORY:7'), unknown, found);
    const agent = clientOf(script).agent('a');
    await agent.remember('x');
    await agent.recall('q');
    await agent.recall('q');
    expect(carried(script)).toEqual([null, 'MEMORY:7', null, null]);
    await expect(clientOf(scriptedFetch(unknown)).agent('a').recall('q', { after: 'MEMORY:9' })).rejects.toThrow(
      'BAD_REQUEST',
    );
  });
});

describe('an error', () => {
  it('of the shape of a request says where the fault is', async () => {
    const detail = [{ loc: ['body', 'items', 0, 'content'], msg: 'Field required', type: 'missing' }];
    const script = scriptedFetch(json({ detail }, { status: 422, headers: { 'x-request-id': 'r-2' } }));
    await expect(clientOf(script).agent('a').remember('')).rejects.toMatchObject({
      status: 422,
      code: 'INVALID_REQUEST',
      detail: 'body.items.0.content: Field required',
      requestId: 'r-2',
      body: { detail },
    });
  });

  it.each<[string, object]>([
    ['a list of texts', { detail: ['x'] }],
    ['a list of other things', { detail: [{ loc: ['a'], msg: 'x' }, null, { loc: 'body', msg: 'y' }, { loc: [] }] }],
    ['an empty list', { detail: [] }],
    ['an object', { detail: { message: 'x' }, code: 7, request_id: {} }],
    ['nothing', { detail: '', code: '', request_id: null }],
  ])('whose detail is %s, such as that of a proxy, says its status, and is not repeated', async (_, body) => {
    const init = { status: 400, statusText: 'Bad Request', headers: { 'x-request-id': 'r-2' } };
    const script = scriptedFetch(json(body, init));
    await expect(clientOf(script).agent('a').recall('q', { after: 'MEMORY:9' })).rejects.toMatchObject({
      status: 400,
      code: 'HTTP_400',
      detail: 'The server replied 400 Bad Request',
      requestId: 'r-2',
      body,
    });
    expect(script.sent).toHaveLength(1);
  });

  it('says that the address is not that of Mneme', async () => {
    const script = scriptedFetch(new Response('<html>'));
    await expect(clientOf(script).agent('a').stats()).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
  });

  it('of the network has its cause and the address', async () => {
    const cause = new TypeError('fetch failed');
    const asked = clientOf(scriptedFetch(cause), { retries: 0 }).agent('a').stats();
    const detail = 'The server could not be reached at http://mneme.test/base';
    await expect(asked).rejects.toMatchObject({ status: 0, code: 'NETWORK_ERROR', detail, cause });
  });
});

it.each<[string, MnemeOptions]>([
  ['baseUrl must be', { baseUrl: 'ftp://somewhere' }],
  ['baseUrl must be an http or https URL: 127.0.0.1:8134', { baseUrl: '127.0.0.1:8134' }],
  ['baseUrl must be an http or https URL: ', { baseUrl: '' }],
  ['retries must be', { retries: Number.NaN }],
  ['timeoutMs must be', { timeoutMs: 2 ** 31 }],
])('options are checked: %s', (message, options) => {
  expect(() => new Mneme(options)).toThrow(message);
});
