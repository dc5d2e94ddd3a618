import { expect, test } from 'vitest';
import { droppedFiles } from './dropped-files.ts';

const gone = new Error('A requested file could not be found.');

type Tree = { readonly [name: string]: Tree | string | Error };

/** What a browser makes of a file, a folder, or one of them that it cannot open. */
function entryOf(path: string, content: Tree | string | Error): object {
  const entry = { name: path.slice(path.lastIndexOf('/') + 1), fullPath: path };
  type Callbacks = [resolve: (value: unknown) => void, reject: (error: Error) => void];
  if (typeof content === 'string' || (content instanceof Error && path.includes('.'))) {
    const file = (...[resolve, reject]: Callbacks) =>
      content instanceof Error ? reject(content) : resolve(new File([content], entry.name));
    return { ...entry, isFile: true, file };
  }
  const parts = [content instanceof Error ? [] : Object.entries(content), []];
  const readEntries = (...[resolve, reject]: Callbacks) =>
    content instanceof Error
      ? reject(content)
      : resolve(parts.shift()?.map(([name, child]) => entryOf(`${path}/${name}`, child)));
  return { ...entry, isFile: false, createReader: () => ({ readEntries }) };
}

async function drop(tree: Tree, withoutEntry?: File) {
  const items: object[] = Object.entries(tree).map(([name, content]) => ({
    webkitGetAsEntry: () => entryOf(`/${name}`, content),
  }));
  if (withoutEntry) items.push({ webkitGetAsEntry: () => null, getAsFile: () => withoutEntry });
  const { files, faults } = await droppedFiles({ items } as unknown as DataTransfer);
  return { names: files.map(({ name }) => name), faults };
}

test('files and folders that cannot be opened are named, and the others are read', async () => {
  const vault = {
    'a.md': 'A',
    'b.md': gone,
    secret: gone,
    deep: { 'c.txt': 'C', 'photo.png': 'no text' },
    '.git': gone,
  };
  const dropped = await drop({ 'gone.txt': gone, vault, 'one.txt': 'I live in Porto.' });
  expect(dropped.names).toEqual(['vault/a.md', 'vault/deep/c.txt', 'one.txt']);
  const reason = `it cannot be read: ${gone.message}`;
  expect(dropped.faults).toEqual([
    { place: 'gone.txt', reason },
    { place: 'vault/b.md', reason },
    { place: 'vault/secret', reason },
  ]);
});

test('a file that has no entry, as one that was moved away, is handed over, so that reading it fails by name', async () => {
  const dropped = await drop({ 'one.txt': 'I live in Porto.' }, new File([], 'moved.txt'));
  expect(dropped).toEqual({ names: ['one.txt', 'moved.txt'], faults: [] });
});
