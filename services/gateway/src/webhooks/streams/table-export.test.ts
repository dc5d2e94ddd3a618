import { setImmediate } from 'node:timers/promises';
import { type RowOfTable, WireError, webhook } from '@mneme/contracts';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { useGateway } from '../../testing/gateway-fixture.ts';
import { openStream, untilStill } from '../../testing/open-stream.ts';
import { jwtSecret, userToken } from '../../testing/tokens.ts';
import { tableReply } from '../../testing/webhook-replies.ts';

const created_at = '2026-01-01T00:00:00.000Z';
const column = (column_name: string, order_index: number) => {
  return { column_name, display_name: column_name, type: 'text' as const, order_index };
};
const columns = [column('note', 1), column('total', 0), column('list', 2)];
const table = tableReply({ name: 'my "orders"', row_count: 5, columns });
const rowOf = (id: number, values: [string, string][]): RowOfTable => ({ id, created_at, values });
const someRows = [
  rowOf(1, [
    ['received_at', JSON.stringify(created_at)],
    ['source_ip', '"192.0.2.1"'],
    ['raw_payload', '"{}"'],
    ['total', '9007199254740993'],
    ['note', '"plain"'],
  ]),
  rowOf(2, [
    ['total', '-1.50'],
    ['note', '"=1+1"'],
    ['list', '["a",1]'],
  ]),
  rowOf(5, [
    ['note', '"a,\\"b\\"\\nc"'],
    ['total', 'null'],
  ]),
  rowOf(6, []),
  rowOf(9, [
    ['total', 'true'],
    ['note', '"日本"'],
  ]),
];

const fixture = useGateway({ JWT_SECRET: jwtSecret });
beforeEach(() => {
  fixture.services.answer(webhook.getTable, () => table);
  inPiecesOf(2, someRows);
});

/** Lets the service answer with a limited number of rows at a time. */
function inPiecesOf(count: number, all: RowOfTable[]): void {
  fixture.services.answer(webhook.exportRows, ({ afterRowId }) => {
    const left = all.filter(({ id }) => id > afterRowId);
    return { rows: left.slice(0, count), isLast: left.length <= count };
  });
}

const headers = { authorization: `Bearer ${userToken(7)}` };
const csvPath = '/api/v3/tables/4/rows.csv';
const jsonPath = '/api/v3/tables/4/rows.json';
const asked = () => fixture.asked(webhook.exportRows);

describe('CSV', () => {
  const whole = [
    'received_at,source_ip,raw_payload,total,note,list',
    `${created_at},192.0.2.1,{},9007199254740993,plain,`,
    `,,,-1.50,'=1+1,"[""a"",1]"`,
    ',,,,"a,""b""\nc",',
    ',,,,,',
    ',,,true,日本,',
    '',
  ].join('\r\n');

  it.each([1, 2, 5, 100])('has every row once, however the service cuts them: by %s', async (count) => {
    inPiecesOf(count, someRows);
    const { status, headers: sent, text } = await fixture.http('GET', csvPath, { headers });
    expect([status, text]).toEqual([200, whole]);
    expect(sent).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="my _orders_.csv"; filename*=UTF-8''my%20_orders_.csv`,
    });
  });

  it('has the columns and the last row that the first part of its rows tells', async () => {
    const newest = columns.toSpliced(0, 1, column('remark', 1));
    fixture.services.answer(webhook.exportRows, ({ afterRowId }) =>
      afterRowId === 0
        ? { rows: [rowOf(1, [['remark', '"x"']])], isLast: false, upTo: 6, columns: newest }
        : { rows: [], isLast: true },
    );
    const { text } = await fixture.http('GET', csvPath, { headers });
    expect(text).toBe('received_at,source_ip,raw_payload,total,remark,list\r\n,,,,x,\r\n');
    const ofTable = { userId: 7, tableId: 4, limit: 500 };
    expect(asked()).toEqual([
      { ...ofTable, afterRowId: 0 },
      { ...ofTable, afterRowId: 1, upTo: 6 },
    ]);
  });

  it('of a table without rows has the names of its columns', async () => {
    inPiecesOf(2, []);
    expect((await fixture.http('GET', csvPath, { headers })).text).toBe(
      'received_at,source_ip,raw_payload,total,note,list\r\n',
    );
  });
});

describe('JSON', () => {
  it('has every row once, with its numbers as they were', async () => {
    const { status, headers: sent, text, body } = await fixture.http('GET', jsonPath, { headers });
    expect([status, sent['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(sent['content-disposition']).toContain('filename="my _orders_.json"');
    expect(body.map(({ id }: { id: number }) => id)).toEqual([1, 2, 5, 6, 9]);
    expect(body[1]).toEqual({ id: 2, created_at, values: { total: -1.5, note: '=1+1', list: ['a', 1] } });
    expect(text).toContain('"total":9007199254740993');
    expect(asked()).toEqual([0, 2, 6].map((afterRowId) => ({ userId: 7, tableId: 4, afterRowId, limit: 500 })));
  });

  it('of a table without rows is an empty list', async () => {
    inPiecesOf(2, []);
    expect((await fixture.http('GET', jsonPath, { headers })).body).toEqual([]);
  });
});

describe.each([csvPath, jsonPath])('%s', (path) => {
  it('is read without a warning of the process', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    onTestFinished(() => void process.off('warning', listen));
    expect((await fixture.http('GET', path, { headers })).status).toBe(200);
    // Warnings are told in the next turn of the event loop.
    await setImmediate();
    expect(warnings).toEqual([]);
  });

  it('waits for a position', async () => {
    await fixture.fillLog('WEBHOOKS', 42);
    await fixture.http('GET', path, { headers: { ...headers, 'x-min-event-position': 'WEBHOOKS:42' } });
    const [request] = fixture.services.requestsTo(webhook.getTable);
    expect(request?.request).toEqual({ userId: 7, tableId: 4, minSequence: 42 });
  });

  it('is for users: 401 without a credential, 403 with a key, 404 for those who may not see it', async () => {
    expect((await fixture.http('GET', path)).status).toBe(401);
    const key = { 'x-api-key': await fixture.records.issueKey() };
    expect((await fixture.http('GET', path, { headers: key })).status).toBe(403);
    fixture.services.answer(webhook.getTable, () => {
      throw new WireError({ status: 404, code: 'NOT_FOUND', message: 'Table not found' });
    });
    const { status, body } = await fixture.http('GET', path, { headers });
    expect([status, body.message]).toEqual([404, 'Table not found']);
    expect((await fixture.http('GET', path.replace('4', 'x'), { headers })).status).toBe(422);
  });

  it('is 500 when it fails before it begins, and ends with a connection error when it fails later', async () => {
    const fail = () => {
      throw new Error('gone');
    };
    fixture.services.answer(webhook.exportRows, ({ afterRowId }) =>
      afterRowId === 0 ? { rows: someRows.slice(0, 2), isLast: false } : fail(),
    );
    const stream = await openStream(fixture.url + path, headers);
    expect([stream.response.statusCode, await stream.ended()]).toEqual([200, 'cut off']);
    fixture.services.answer(webhook.exportRows, fail);
    const { status, body } = await fixture.http('GET', path, { headers });
    expect([status, body.code]).toEqual([500, 'FETCH_ERROR']);
  });

  it('is read no faster than the caller takes it', async () => {
    const note: [string, string] = ['note', JSON.stringify('x'.repeat(500_000))];
    fixture.services.answer(webhook.exportRows, ({ afterRowId }) => {
      return { rows: [rowOf(afterRowId + 1, [note])], isLast: afterRowId >= 149 };
    });
    const stream = await openStream(fixture.url + path, headers);
    stream.response.pause();
    expect(await untilStill(() => asked().length)).toBeLessThan(100);
    stream.response.resume();
    expect(await stream.ended()).toBe('whole');
    expect(asked()).toHaveLength(150);
  });
});
