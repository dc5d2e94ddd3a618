import { gzipSync } from 'node:zlib';
import { memoryQuery } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { useGateway } from '../../testing/gateway-fixture.ts';

const fixture = useGateway({ CORS_ORIGINS: 'https://console.example' });
const { http } = fixture;

const search = '/api/search';
const query = { query: 'x' };
const json = { 'content-type': 'application/json' };
/** Sends the bytes as the body of a search. */
const searchRaw = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  http('POST', search, { raw, headers: { ...json, ...headers } });

const tooLarge = 'Input should be a finite number, got one that is too large';

describe('a body', () => {
  it.each(['', '{', '{"query":"x"', '{"query":"x",}', '{}{}', 'undefined', '{"query":"x"}}', "{'query':'x'}", 'NaN'])(
    'that is not JSON is 422: %j',
    async (raw) => {
      const { status, headers, body } = await searchRaw(raw);
      expect(status).toBe(422);
      expect(headers['content-type']).toMatch(/^application\/json/);
      const type = raw === '' ? 'missing' : 'json_invalid';
      expect(body).toEqual({ detail: [{ loc: ['body'], msg: expect.any(String), type }] });
    },
  );

  it('that is not UTF-8 is 422', async () => {
    const broken = Buffer.from([...Buffer.from('{"query":"'), 0xff, ...Buffer.from('"}')]);
    for (const raw of [broken, Buffer.from(JSON.stringify(query), 'utf16le')]) {
      const { body } = await searchRaw(raw);
      expect(body.detail).toMatchObject([{ loc: ['body'], type: 'json_invalid' }]);
    }
  });

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/jsonp'],
    ['json'],
    ['application/json; charset=iso-8859-1'],
    ['application/json; charset="utf-16"'],
  ])('of the type %s is 415', async (type) => {
    const { status, body } = await searchRaw(JSON.stringify(query), { 'content-type': type });
    expect(status).toBe(415);
    expect(body.code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it('without a type is 415', async () => {
    expect((await http('POST', search, { raw: JSON.stringify(query) })).status).toBe(415);
  });

  it.each(['application/json; charset=UTF-8', 'Application/JSON', 'application/vnd.x+json'])(
    'of the type %s is read',
    async (type) => {
      const { status } = await searchRaw(JSON.stringify(query), { 'content-type': type });
      expect(status).toBe(200);
    },
  );

  it('may be compressed, and an unknown encoding is 415', async () => {
    const raw = gzipSync(JSON.stringify(query));
    expect((await searchRaw(raw, { 'content-encoding': 'gzip' })).status).toBe(200);
    expect((await searchRaw(raw, { 'content-encoding': 'zstd2' })).status).toBe(415);
    const broken = await searchRaw('x', { 'content-encoding': 'gzip' });
    expect([broken.status, broken.body.detail]).toEqual([400, expect.stringContaining('cannot be decompressed')]);
  });

  it('over 5 MiB is 413, also when only its decompressed form is', async () => {
    const large = Buffer.from(JSON.stringify({ query: 'x'.repeat(6 * 1024 * 1024) }));
    const plain = await searchRaw(large);
    expect(plain.status).toBe(413);
    expect(plain.body.code).toBe('PAYLOAD_TOO_LARGE');
    const bomb = await searchRaw(gzipSync(large), { 'content-encoding': 'gzip' });
    expect(bomb.status).toBe(413);
    expect(fixture.services.requestsTo(memoryQuery.search)).toEqual([]);
  });

  it('may have prototype names and depth without harm, but no unknown fields', async () => {
    const raw = `{"query":"x","__proto__":{"agent_id":5},"constructor":{"prototype":1},"deep":${'['.repeat(900)}${']'.repeat(900)}}`;
    const { status, body } = await searchRaw(raw);
    expect([status, body.detail]).toMatchObject([
      422,
      ['__proto__', 'constructor', 'deep'].map((name) => ({ loc: ['body', name], type: 'extra_forbidden' })),
    ]);
    expect(fixture.services.requestsTo(memoryQuery.search)).toEqual([]);
    expect(({} as Record<string, unknown>).agent_id).toBeUndefined();
  });

  it('that is too deep is 422', async () => {
    const raw = `{"query":"x","deep":${'['.repeat(2_500_000)}${']'.repeat(2_500_000)}}`;
    const { status, body } = await searchRaw(raw);
    expect([status, body.detail]).toMatchObject([422, [{ loc: ['body'], type: 'too_deep' }]]);
  });

  it.each([
    ['{}', [{ loc: ['body', 'query'], type: 'missing' }]],
    ['[]', [{ loc: ['body'], type: 'model_attributes_type' }]],
    ['null', [{ loc: ['body'], type: 'model_attributes_type' }]],
    ['{"query":null}', [{ loc: ['body', 'query'], type: 'string_type' }]],
    ['{"query":"\\ud800"}', [{ loc: ['body', 'query'], type: 'string_unicode' }]],
    ['{"query":"x","trace":"yes"}', [{ loc: ['body', 'trace'], type: 'bool_type' }]],
    ['{"query":"x","thinking_budget":0}', [{ loc: ['body', 'thinking_budget'], type: 'greater_than_equal' }]],
    ['{"query":"x","thinking_budget":10001}', [{ loc: ['body', 'thinking_budget'], type: 'less_than_equal' }]],
    ['{"query":"x","thinking_budget":1.5}', [{ loc: ['body', 'thinking_budget'], type: 'int_from_float' }]],
    ['{"query":"x","thinking_budget":"5"}', [{ loc: ['body', 'thinking_budget'], type: 'int_type' }]],
    ['{"query":"x","max_tokens":-1}', [{ loc: ['body', 'max_tokens'], type: 'greater_than_equal' }]],
    ['{"query":"x","question_date":5}', [{ loc: ['body', 'question_date'], type: 'string_type' }]],
    ['{"query":"x","max_tokens":1e400}', [{ loc: ['body', 'max_tokens'], type: 'finite_number', msg: tooLarge }]],
    ['{"query":"x","min_score":-1e400}', [{ loc: ['body', 'min_score'], type: 'finite_number', msg: tooLarge }]],
    ['{"query":1e400}', [{ loc: ['body', 'query'], type: 'string_type' }]],
    ['{"query":"x","fact_type":"world"}', [{ loc: ['body', 'fact_type'], type: 'list_type' }]],
    ['{"query":"x","fact_type":[1]}', [{ loc: ['body', 'fact_type', 0], type: 'string_type' }]],
    ['{"query":"x","reranker":"best"}', [{ loc: ['body', 'reranker'], type: 'enum' }]],
    ['{"query":"x","agent_id":""}', [{ loc: ['body', 'agent_id'], type: 'string_too_short' }]],
    [
      '{"query":5,"agent_id":null}',
      [
        { loc: ['body', 'query'], type: 'string_type' },
        { loc: ['body', 'agent_id'], type: 'string_type' },
      ],
    ],
  ])('of the wrong shape is 422 and says what and where: %s', async (raw, detail) => {
    const { status, body } = await searchRaw(raw);
    expect(status).toBe(422);
    expect(Object.keys(body)).toEqual(['detail']);
    expect(body.detail).toMatchObject(detail);
    for (const fault of body.detail) expect(Object.keys(fault).sort()).toEqual(['loc', 'msg', 'type']);
  });
});

describe('a list in a body', () => {
  const send = (path: string, body: unknown) => http('POST', path, { body });

  it('that is too long is one fault, whatever is in it and however long it is', async () => {
    for (const given of [1, 'x', null, {}]) {
      const { status, body } = await send(search, { query: 'x', fact_type: Array(40_000).fill(given) });
      expect(status).toBe(422);
      const msg = 'List should have at most 3 items after validation, not 40000';
      expect(body.detail).toEqual([{ loc: ['body', 'fact_type'], msg, type: 'too_long' }]);
      const more = await send(search, { query: 'x', fact_type: Array(1_000_000).fill(given) });
      expect([more.status, more.body.detail]).toMatchObject([422, [{ loc: ['body'], type: 'too_long' }]]);
    }
  });

  it('may be as long as its bound', async () => {
    expect((await send(search, { query: 'x', fact_type: ['world', 'world', 'agent'] })).status).toBe(200);
    const four = await send(search, { query: 'x', fact_type: ['world', 'world', 'agent', 'opinion'] });
    expect(four.body.detail).toMatchObject([{ loc: ['body', 'fact_type'], type: 'too_long' }]);
  });

  it('with many faulty items lists the first 100 faults', async () => {
    const items = Array.from({ length: 1_000 }, () => ({ content: 1, event_date: 1, context: 1 }));
    const { status, body } = await send('/api/memories/batch', { agent_id: 'ana', items });
    expect(status).toBe(422);
    expect(body.detail).toHaveLength(100);
    expect(body.detail[99]).toEqual({
      loc: ['body', 'items', 33, 'content'],
      msg: expect.any(String),
      type: 'string_type',
    });
  });
});

describe('texts have bounds in bytes of UTF-8', () => {
  const item = (context: string) => ({ agent_id: 'ana', items: [{ content: 'x', context }] });
  const kibibytes = (count: number, character: string) =>
    character.repeat((count * 1_024) / Buffer.byteLength(character));

  it.each([
    ['POST', search, 8, (query: string) => ({ query }), ['query']],
    ['POST', '/api/think', 8, (query: string) => ({ query }), ['query']],
    ['POST', '/api/memories/batch_async', 16, item, ['items', 0, 'context']],
    ['PUT', '/api/agents/ana', 64, (background: string) => ({ background }), ['background']],
    ['POST', '/api/agents/ana/background', 64, (content: string) => ({ content }), ['content']],
  ])('%s %s: %i KiB', async (method, path, limit, bodyOf, way) => {
    for (const character of ['x', 'é', '🦊']) {
      const fits = kibibytes(limit, character);
      // The scripted services give no valid answer; what counts is that the text passed the gateway's checks.
      expect((await http(method, path, { body: bodyOf(fits) })).status).not.toBe(422);
      const { status, body } = await http(method, path, { body: bodyOf(`${fits}x`) });
      expect(status).toBe(422);
      expect(body.detail).toMatchObject([{ loc: ['body', ...way], type: 'string_too_long' }]);
    }
  });

  it('a name of some megabytes is refused quickly', async () => {
    const { body } = await http('POST', search, { body: { query: 'x', agent_id: '🦊'.repeat(1_000_000) } });
    expect(body.detail).toMatchObject([{ loc: ['body', 'agent_id'], type: 'string_too_long' }]);
  });

  it('an unknown fact type or date of some megabytes is not repeated in the answer', async () => {
    const long = 'x'.repeat(1_000_000);
    for (const body of [
      { query: 'x', fact_type: [long] },
      { query: 'x', question_date: long },
    ]) {
      const reply = await http('POST', search, { body });
      expect(reply.status).toBe(400);
      expect(reply.text.length).toBeLessThan(1_000);
    }
  });
});

describe('a query string', () => {
  it('of more than 100 parameters is 400, by every route', async () => {
    fixture.services.answer(memoryQuery.listUnits, ({ limit, offset }) => ({ items: [], total: 0, limit, offset }));
    const names = (count: number) => Array.from({ length: count }, (_, index) => `x${index}=1`).join('&');
    expect((await http('GET', `/api/list?${names(100)}`)).status).toBe(200);
    for (const path of ['/api/list', '/healthz', '/nothing']) {
      for (const query of [names(101), 'a&'.repeat(10_000)]) {
        const { status, body } = await http('GET', `${path}?${query}`);
        expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
      }
    }
  });

  it.each([
    ['limit=0', 'limit', 'greater_than_equal'],
    ['limit=1001', 'limit', 'less_than_equal'],
    ['limit=1e2', 'limit', 'int_parsing'],
    ['limit=0x10', 'limit', 'int_parsing'],
    ['limit=%201', 'limit', 'int_parsing'],
    ['limit=', 'limit', 'int_parsing'],
    ['limit=1.0', 'limit', 'int_parsing'],
    ['limit=5&limit=6', 'limit', 'string_type'],
    ['offset=-1', 'offset', 'greater_than_equal'],
    ['offset=99999999999999999999', 'offset', 'less_than_equal'],
    ['fact_type=rumour', 'fact_type', 'enum'],
    ['agent_id=a&agent_id=b', 'agent_id', 'string_type'],
    ['q[x]=1&agent_id=', 'agent_id', 'string_too_short'],
    ['agent_id[]=a', 'agent_id[]', 'extra_forbidden'],
    ['document_id=', 'document_id', 'string_too_short'],
  ])('with %s is 422', async (text, name, type) => {
    const { status, body } = await http('GET', `/api/list?${text}`);
    expect(status).toBe(422);
    expect(body.detail).toEqual([{ loc: ['query', name], msg: expect.any(String), type }]);
  });

  it('says of a parameter that was sent several times that it was', async () => {
    const { body } = await http('GET', '/api/list?limit=1&limit=2');
    expect(body.detail).toMatchObject([{ msg: 'The parameter was sent more than once; send it once' }]);
  });

  it('may have unknown and prototype names', async () => {
    fixture.services.answer(memoryQuery.listUnits, ({ limit, offset }) => ({ items: [], total: 0, limit, offset }));
    const { status, body } = await http('GET', '/api/list?__proto__=1&__proto__=2&x=1&x=2&toString=3&limit=1000');
    expect(status).toBe(200);
    expect(body.limit).toBe(1000);
  });

  it.each([
    ['/api/list?agentId=ana', 'agentId', 'agent_id'],
    ['/api/list?agent_ids=ana', 'agent_ids', 'agent_id'],
    ['/api/agents?Q=x', 'Q', 'q'],
  ])('with a misspelt parameter is 422: %s', async (path, name, meant) => {
    const { status, body } = await http('GET', path);
    const msg = `Unknown parameter '${name}'. Did you mean '${meant}'?`;
    expect([status, body.detail]).toEqual([422, [{ loc: ['query', name], msg, type: 'extra_forbidden' }]]);
    expect(fixture.services.requestsTo(memoryQuery.listUnits)).toEqual([]);
  });

  it.each([
    ['/api/list?agent_id=ana&_=5&utm_source=x', '_, utm_source'],
    ['/api/operations/ana?limit=5', 'limit'],
    ['/api/list?agent_id=ana', null],
  ])('with other unknown parameters has them named: %s', async (path, names) => {
    fixture.services.answer(memoryQuery.listUnits, () => ({ items: [], total: 0, limit: 100, offset: 0 }));
    fixture.services.answer(memoryQuery.listOperations, () => ({ agent_id: 'ana', operations: [] }));
    const { status, headers } = await http('GET', path);
    expect([status, headers['mneme-ignored-fields'] ?? null]).toEqual([200, names]);
  });
});

describe('a name that no URL can have in its path', () => {
  const fault = (...loc: string[]) => [{ loc, msg: expect.stringContaining("'.' and '..'"), type: 'value_error' }];
  const items = [{ content: 'x' }];

  it.each(['.', '..'])('is refused where something may be stored under it: %s', async (name) => {
    const refused = async (method: string, path: string, body: object) => {
      const reply = await http(method, path, { body });
      return [reply.status, reply.body.detail];
    };
    for (const path of ['/api/memories/batch', '/api/memories/batch_async']) {
      expect(await refused('POST', path, { agent_id: name, items })).toEqual([422, fault('body', 'agent_id')]);
      const ofDocument = { agent_id: 'ana', document_id: name, items };
      expect(await refused('POST', path, ofDocument)).toEqual([422, fault('body', 'document_id')]);
    }
    expect(await refused('POST', '/api/think', { agent_id: name, query: 'x' })).toEqual([
      422,
      fault('body', 'agent_id'),
    ]);
    const agent = `/api/agents/${name}`;
    expect(await refused('PUT', agent, { background: 'x' })).toEqual([422, fault('path', 'agent_id')]);
    expect(await refused('POST', `${agent}/background`, { content: 'x' })).toEqual([422, fault('path', 'agent_id')]);
  });

  it('is accepted by reads and erasures, for what earlier releases have stored', async () => {
    fixture.services.answer(memoryQuery.listOperations, ({ agentId }) => ({ agent_id: agentId, operations: [] }));
    expect((await http('GET', '/api/operations/..')).body.agent_id).toBe('..');
    expect((await http('POST', search, { body: { agent_id: '.', query: 'x' } })).status).toBe(200);
    const erased = await http('DELETE', '/api/agents/.');
    expect(erased.status).not.toBe(422);
  });
});
