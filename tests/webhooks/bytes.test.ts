import { beforeAll, expect, test } from 'vitest';
import {
  acknowledge,
  createTableWebhook,
  deliver,
  logsOf,
  rowsOf,
  type TableWebhook,
  textOf,
} from '../system/deliveries.ts';
import { newPerson, type Person } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

const odd = [
  '{"big":9007199254740993,"huge":1e400,"price":1.10,"minus":-0,"exact":0.1000000000000000055511151231257827}',
  ' \n\t{ "a" :1 ,\r\n  "a": 2, "list":[ 1.0,  9007199254740993 ,"x" ] }  \n',
  '{"text":"\\u00e9\\/\\ud83d\\ude00é😀","e":1E+2,"u":"\\u0041"}',
];

let system: SharedSystem;
let ana: Person;
let webhook: TableWebhook;
beforeAll(async () => {
  system = await shareSystem();
  ana = await newPerson(system.http);
  webhook = await createTableWebhook(ana, { newTableName: 'odd' });
  for (const payload of odd) await acknowledge(system.http, webhook, payload);
  return system.release;
});

const rowsPath = () => `/api/v3/tables/${webhook.table_id}/rows`;

/** The members of an object in JSON text, as the text that they are. */
const members = ['"big":9007199254740993', '"huge":1e400', '"price":1.10', '"minus":-0', '"e":1E+2'];

test('payloads in logs and rows are the bytes that came', async () => {
  expect((await logsOf(ana, webhook)).map(({ payload }) => payload)).toEqual(odd.toReversed());
  expect((await rowsOf(ana, webhook.table_id)).map(({ values }) => values.raw_payload)).toEqual(odd.toReversed());
  const listed = await textOf(ana, `/api/v3/projects/${ana.projectId}/webhooks`);
  for (const payload of odd) expect(listed).toContain(JSON.stringify(payload));
});

test.each(['', '.json'])('numbers in rows%s are written as they were sent', async (extension) => {
  const text = await textOf(ana, rowsPath() + extension);
  for (const member of members) expect(text).toContain(member);
  expect(text).toContain('"exact":0.1000000000000000055511151231257827');
  expect(text.replaceAll(/\s/g, '')).toContain('[1.0,9007199254740993,"x"]');
  expect(text).toContain('"a":2');
});

test('a CSV file has the numbers and the payloads as they were sent', async () => {
  const lines = parseCsv(await textOf(ana, `${rowsPath()}.csv`));
  const [names = [], ...rows] = lines;
  expect(names.slice(0, 5)).toEqual(['received_at', 'source_ip', 'raw_payload', 'big', 'huge']);
  const column = (name: string) => rows.map((cells) => cells[names.indexOf(name)]);
  expect(column('raw_payload')).toEqual(odd);
  expect(column('big')).toEqual(['9007199254740993', '', '']);
  expect(column('huge')[0]).toBe('1e400');
  expect(column('price')[0]).toBe('1.10');
  expect(column('e')[2]).toBe('1E+2');
  expect(column('text')[2]).toBe('é/😀é😀');
});

test('cells that a spreadsheet would run are escaped, numbers are not', async () => {
  const sheet = await createTableWebhook(ana);
  const cells = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', 'plain', 'a=b'];
  await acknowledge(system.http, sheet, JSON.stringify({ ...cells, '=HEAD()': 1, n: -5 }));
  const [names = [], row = []] = parseCsv(await textOf(ana, `/api/v3/tables/${sheet.table_id}/rows.csv`));
  const shown = cells.map((_, index) => row[names.indexOf(String(index))]);
  expect(shown).toEqual(["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tx", "'\rx", 'plain', 'a=b']);
  expect(row[names.indexOf('n')]).toBe('-5');
  for (const cell of [...names, ...row]) expect(cell.replace(/^-5$/, '')).not.toMatch(/^[=+\-@\t\r]/);
});

test('an array of a million elements is refused where it does not fit, and is kept whole where it does', async () => {
  const big = `{"list":[${'1,'.repeat(999_999)}2]}`;
  const list = await createTableWebhook(ana);
  expect((await deliver(system.http, list, big)).status).toBe(413);
  expect(await logsOf(ana, list)).toEqual([]);
  const roomy = await system.addGateway({ WEBHOOK_BODY_LIMIT: String(4 * 1_024 * 1_024) });
  expect((await deliver(roomy.http, list, big)).status).toBe(200);
  await roomy.process.kill();
  expect((await logsOf(ana, list)).map(({ status, payload }) => [status, payload === big])).toEqual([
    ['processed', true],
  ]);
  expect(await textOf(ana, `/api/v3/tables/${list.table_id}/rows.json`)).toContain(big.slice(1, -1));
});

/** RFC 4180. */
function parseCsv(text: string): string[][] {
  expect(text.endsWith('\r\n')).toBe(true);
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}
