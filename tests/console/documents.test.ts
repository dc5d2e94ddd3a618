import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chatgptConversation, shortChat, zipOf } from '@mneme/import/testing';
import { atFullLength } from '@mneme/local-stack/testing';
import type { ModelServer } from '@mneme/models/testing';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { shareModelServer } from '../models/model-system.ts';
import { eventually } from '../system/eventually.ts';
import type { Person } from '../system/person.ts';
import { agreeTo, comeBack, describeInBrowser, newUser, signIn, startConsole, type TestConsole } from './browser.ts';
import { expectHarmless, hostileTexts } from './hostile-texts.ts';
import { pressButton, tabTo } from './keyboard.ts';

let console: TestConsole;
let model: ModelServer;

interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const file = (name: string, content: string): ChosenFile => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});

const notes = `# Travel

I moved to Lisbon in March. The flat is small.

## Work

I work for Atlas Maps.
`;

const claudeExport = JSON.stringify([
  {
    uuid: 'u-1',
    name: 'Boats',
    created_at: '2024-05-01T10:00:00.000000Z',
    chat_messages: [{ sender: 'human', text: 'My brother Tiago bought a sailing boat.' }],
  },
]);

const items = ['{"content": "Ana adopted a cat called Miso."}', '{"content"', '{"content": "Miso is grey."}'].join(
  '\n',
);

async function newAgent(name = 'ana'): Promise<Person> {
  const person = await newUser(console);
  await person.http.put(`/api/agents/${encodeURIComponent(name)}`, {});
  return person;
}

/** Lets go of files above the page, as the hand does that drags them there. */
async function drop(page: Page, files: readonly ChosenFile[]): Promise<void> {
  const named = files.map(({ name, buffer }) => ({ name, content: buffer.toString('utf8') }));
  const transfer = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer();
      for (const { name, content } of ${JSON.stringify(named)}) transfer.items.add(new File([content], name));
      return transfer;
    })()`,
  );
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent('.drop-zone', type, { dataTransfer: transfer });
  }
}

/** Writes files into a new folder. @param files content by path from the folder @returns the path of the folder */
async function newFolder(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'mneme-dropped-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    const file = join(parent, name, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return join(parent, name);
}

/** Drags files and folders of this machine over the page and lets go of them. @param paths where they are */
async function dropPaths(page: Page, paths: readonly string[]): Promise<void> {
  const box = await page.locator('.drop-zone').boundingBox();
  if (!box) throw new Error('There is no place to drop files');
  const devTools = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devTools.send('Input.dispatchDragEvent', { type, x: box.x + 10, y: box.y + 10, data });
  }
}

describeInBrowser('documents', () => {
  beforeAll(async () => {
    const shared = await shareModelServer();
    model = shared.model;
    console = await startConsole(shared.settings);
  });
  afterEach(() => model.reset());
  afterAll(() => console.release());

  test('are not imported for another user who has signed in in a second tab', async () => {
    const [person, other] = [await newAgent(), await newAgent()];
    await using screen = await console.open({
      as: person,
      path: '/documents?agent=ana',
      allowedErrors: /status of 401/,
    });
    const { page, context } = screen;
    await page.getByText('The agent has no documents').waitFor();
    await signIn(context, other);
    await drop(page, [file('notes.md', notes)]);
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await page.getByText(/^0 stored, .* (was stopped|ended early)/).waitFor();
    for (const { http } of [person, other]) {
      expect((await http.get('/api/documents?agent_id=ana')).body.total).toBe(0);
    }
  });

  test('are imported from dropped files, with faults named, and show what became memories', async () => {
    const person = await newAgent();
    await using screen = await console.open({ as: person, path: '/documents?agent=ana' });
    const { page } = screen;
    await page.getByText('The agent has no documents').waitFor();
    await drop(page, [file('notes.md', notes), file('export.json', claudeExport), file('items.jsonl', items)]);
    await page.getByText('The import is complete.').waitFor();
    await page.getByText('3 stored, 0 replaced, 0 unchanged').waitFor();
    await page.getByText('items.jsonl, line 2: it is not JSON').waitFor();
    await page.getByText('3 documents').waitFor();
    await screen.expectAccessible();
    await screen.screenshot('documents');
    await page.getByRole('link', { name: 'notes.md' }).click();
    await page.getByRole('heading', { name: 'notes.md', level: 1 }).waitFor();
    const marks = page.locator('mark');
    await marks.first().waitFor();
    expect(await marks.allTextContents()).toContain('I moved to Lisbon in March.');
    expect(await page.locator('.document-text').textContent()).toContain('The flat is small.');
    await screen.screenshot('document');
    await page.locator('mark a', { hasText: 'I work for Atlas Maps.' }).click();
    await page.waitForURL(/\/memories\//);
    await page.getByText('I work for Atlas Maps.').first().waitFor();
    await page.getByRole('link', { name: 'notes.md' }).click();
    await page.getByRole('heading', { name: 'notes.md', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('id')).toBe('notes.md');
  });

  test('are imported from a dropped folder and the files beside it, as the command reads them, and those that cannot be opened are named', async () => {
    const folder = await newFolder('vault', {
      'travel.md': notes,
      'people/ana.txt': 'Ana likes tea.',
      'people/deep/er/items.jsonl': '{"content": "Miso is grey."}',
      'photo.png': 'no text at all',
      '.git/config.txt': 'I am hidden.',
      'people/.draft.md': 'I am hidden too.',
    });
    const beside = await newFolder('beside', { 'one.txt': 'I live in Porto.', 'two.txt': 'I work for Atlas Maps.' });
    const person = await newAgent();
    await using screen = await console.open({ as: person, path: '/documents?agent=ana' });
    const { page } = screen;
    await page.getByText('The agent has no documents').waitFor();
    await dropPaths(page, [folder, join(beside, 'one.txt'), join(beside, 'two.txt')]);
    await page.getByText('5 stored, 0 replaced, 0 unchanged').waitFor();
    await page.getByText('5 documents').waitFor();
    const { body } = await person.http.get('/api/documents?agent_id=ana');
    expect(body.items.map(({ id }: { readonly id: string }) => id).toSorted()).toEqual(
      ['one.txt', 'two.txt', 'vault/people/ana.txt', 'vault/people/deep/er/items.jsonl', 'vault/travel.md'].toSorted(),
    );
    await dropPaths(page, [folder]);
    await page.getByText('0 stored, 0 replaced, 3 unchanged').waitFor();

    const notesFolder = await newFolder('notes', { 'lost.txt': 'I am gone.', 'one.txt': 'I live in Porto.' });
    // As when it is moved away after it was dropped, and before it is opened.
    await page.evaluate(`addEventListener(
      'drop',
      ({ dataTransfer }) => {
        const entries = [...dataTransfer.items].map((item) => item.webkitGetAsEntry());
        const prototype = Object.getPrototypeOf(entries.find((entry) => entry?.isFile));
        const { file } = prototype;
        prototype.file = function (resolve, reject) {
          if (this.name === 'lost.txt') reject(new DOMException('It was lost.', 'NotFoundError'));
          else file.call(this, resolve, reject);
        };
      },
      { capture: true, once: true },
    )`);
    await dropPaths(page, [notesFolder, join(notesFolder, 'lost.txt'), join(notesFolder, 'gone.txt')]);
    await page.getByText('1 stored, 0 replaced, 0 unchanged').waitFor();
    await page.getByText('3 faults').waitFor();
    await page.getByText('notes/lost.txt: it cannot be read: It was lost.').waitFor();
    await page.getByText(/^gone\.txt: it cannot be read: /).waitFor();
    await dropPaths(page, [join(notesFolder, 'lost.txt')]);
    await page.getByText('1 fault', { exact: true }).waitFor();
    await page.getByText('lost.txt: it cannot be read: It was lost.', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'vault/people/ana.txt' }).click();
    await page.locator('mark', { hasText: 'Ana likes tea.' }).waitFor();
  });

  test('are not stored again by a second import, and are deleted', async () => {
    const person = await newAgent();
    await using screen = await console.open({ as: person, path: '/documents?agent=ana' });
    const { page } = screen;
    const choose = page.locator('input[type=file]');
    await choose.setInputFiles([file('notes.md', notes)]);
    await page.getByText('1 stored, 0 replaced, 0 unchanged').waitFor();
    // Else choosing the same file again would change nothing.
    expect(await choose.inputValue()).toBe('');
    const zip = zipOf({ 'export/conversations.json': JSON.stringify([chatgptConversation(shortChat)]) });
    const files = [
      file('notes.md', notes),
      { ...file('export.zip', ''), buffer: zip },
      file('more.txt', 'I like tea.'),
    ];
    await choose.setInputFiles(files);
    await page.getByText('2 stored, 0 replaced, 1 unchanged').waitFor();
    await page.getByRole('link', { name: 'chatgpt/c-1' }).waitFor();
    await page.getByRole('link', { name: 'more.txt' }).click();
    await agreeTo(page, 'Delete document');
    await page.getByText('2 documents').waitFor();
    expect((await person.http.get('/api/documents?agent_id=ana')).body.total).toBe(2);
  });

  test('are deleted with what was read of their memories', async () => {
    const person = await newAgent();
    const content = 'Ana loves boats and the sea.';
    await person.http.post('/api/memories/batch', { agent_id: 'ana', document_id: 'chat', items: [{ content }] });
    const [unit] = (await person.http.get('/api/list?agent_id=ana')).body.items;
    const path = `/memories/${unit.id}`;
    await using screen = await console.open({ as: person, path, allowedErrors: /status of 404/ });
    const { page } = screen;
    await page.locator('main').getByText(unit.text).first().waitFor();
    await page.getByRole('link', { name: 'chat', exact: true }).click();
    await agreeTo(page, 'Delete document');
    await page.getByText('The agent has no documents.').waitFor();
    for (let pages = 0; pages < 2; pages += 1) await page.goBack();
    await page.waitForURL(`**${path}`);
    await page.getByRole('alert').getByText('It does not exist').waitFor();
    expect(await page.getByText(unit.text).count()).toBe(0);
  });

  test('that could not be stored say why, and can be tried again or dismissed', async () => {
    const person = await newAgent();
    model.replies.next('extract', { fault: 'refusal' }, { fault: 'refusal' });
    for (const document_id of ['first', 'second']) {
      await person.http.post('/api/memories/batch_async', {
        agent_id: 'ana',
        document_id,
        items: [{ content: 'I live in Porto.' }],
      });
    }
    await using screen = await console.open({ as: person, path: '/documents?agent=ana' });
    const { page } = screen;
    await page
      .getByText(/refuse/)
      .nth(1)
      .waitFor();
    await screen.expectAccessible(page.getByRole('region', { name: 'Running and failed operations' }));
    await screen.screenshot('operations');
    await page.getByRole('button', { name: 'Retry: first' }).click();
    await page.getByRole('link', { name: 'first' }).waitFor();
    await page.getByRole('button', { name: 'Dismiss: second' }).click();
    await page.getByText('Nothing is running, and nothing has failed.').waitFor();
    expect((await person.http.get('/api/operations/ana')).body.operations).toEqual([]);
  });

  test('are written, found and opened by keyboard alone', async () => {
    const person = await newAgent();
    await using screen = await console.open({ as: person, path: '/documents?agent=ana' });
    const { page } = screen;
    await page.getByText('The agent has no documents').waitFor();
    await pressButton(page, 'Write a text');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('diary');
    await tabTo(page, 'Text *');
    await page.keyboard.type('I live in Porto.');
    await pressButton(page, 'Store');
    await page.getByRole('link', { name: 'diary' }).waitFor();
    await tabTo(page, 'Find documents');
    await page.keyboard.type('dia');
    await eventually('the address has what was typed', () => page.url().includes('q=dia'));
    await pressButton(page, 'diary');
    await page.getByRole('heading', { name: 'diary', level: 1 }).waitFor();
    await page.locator('mark').waitFor();
  });

  test('are stored for the agent that is shown, also when another one changes while they are written', async () => {
    const person = await newAgent();
    await using screen = await console.open({ as: person, path: '/documents' });
    const { page } = screen;
    await page.getByRole('button', { name: 'Write a text' }).click();
    await page.getByLabel('Name of the document').fill('diary');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('I live in Porto.');
    await person.http.put('/api/agents/bob', {});
    const listed = page.waitForResponse(/\/api\/agents\?/);
    await comeBack(page);
    expect((await (await listed).json()).agents[0]).toMatchObject({ agent_id: 'bob' });
    await page.getByRole('button', { name: 'Store' }).click();
    await page.getByRole('link', { name: 'diary' }).waitFor();
    expect((await person.http.get('/api/documents?agent_id=ana')).body.total).toBe(1);
    expect(new URL(page.url()).search).toBe('?agent=ana');
  });

  test('are shown as text, whatever they say and are called', async () => {
    const person = await newAgent();
    for (const [index, text] of hostileTexts.entries()) {
      const document_id = `${index} ${text}`;
      await person.http.post('/api/memories/batch', { agent_id: 'ana', document_id, items: [{ content: text }] });
    }
    await using screen = await console.open({ as: person, path: '/documents?agent=ana' });
    const { page } = screen;
    for (const [index, text] of hostileTexts.entries()) {
      await page.getByRole('link', { name: `${index} ${text}`, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: `${index} ${text}`, exact: true }).waitFor();
      expect(await page.locator('.document-text').textContent()).toBe(text);
      await page.getByRole('link', { name: 'All documents' }).click();
    }
    await drop(page, [file(`${hostileTexts[0]}.json`, '{')]);
    await page.getByText('it is not JSON').waitFor();
    await expectHarmless(page);
  });

  test.runIf(atFullLength)(
    'can be read in the light and the dark theme, 360 and 1280 pixels wide, with their length in characters',
    async () => {
      const person = await newAgent();
      const document_id = 'chat/a-name-that-is-long-and-has-no-place-to-break-it-in-two';
      const content = `${notes}\n${'⛵🚢😀'.repeat(5)}`;
      await person.http.post('/api/memories/batch', { agent_id: 'ana', document_id, items: [{ content }] });
      const [document] = (await person.http.get('/api/documents?agent_id=ana')).body.items;
      await using screen = await console.open({ as: person, path: '/documents?agent=ana&q=a-name' });
      const { page } = screen;
      await page.getByRole('row', { name: new RegExp(`a-name\\S+ \\d+ ${document.text_length} `) }).waitFor();
      await page.getByRole('link', { name: 'Documents', exact: true }).click();
      await expect.poll(() => page.getByLabel('Find documents').inputValue()).toBe('');
      await page.getByRole('link', { name: /a-name/ }).waitFor();
      await screen.expectUsable();
      await page.getByRole('link', { name: /a-name/ }).click();
      await page.getByText(`, ${document.text_length} characters, `).waitFor();
      await page.locator('mark').first().waitFor();
      await screen.expectUsable();
    },
  );
});
