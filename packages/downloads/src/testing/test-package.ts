import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { create } from 'tar';
import type { PinnedFile, PinnedPackage } from '../pinned.ts';

/** For tests: a package with the given files below `package/`, and the pins that belong to it. */
export async function makeTestPackage(
  folder: string,
  contents: Readonly<Record<string, Buffer>>,
): Promise<{ pinned: PinnedPackage; files: Readonly<Record<string, PinnedFile>>; tarball: Buffer }> {
  const files: Record<string, PinnedFile> = {};
  for (const [name, content] of Object.entries({ 'package.json': Buffer.from('{}'), ...contents })) {
    const pathInTarball = `package/${name}`;
    await mkdir(dirname(join(folder, pathInTarball)), { recursive: true });
    await writeFile(join(folder, pathInTarball), content);
    files[name] = { pathInTarball, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
  }
  const file = join(folder, 'package.tgz');
  // Stored rather than compressed, so that there is enough of it to be cut off.
  await create({ gzip: { level: 0 }, file, cwd: folder }, ['package']);
  const tarball = await readFile(file);
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const pinned = { package: 'test-package', packageVersion: '1.0.0', tarballBytes: tarball.length, integrity };
  return { pinned, files, tarball };
}

export interface TarballServer {
  url: string;
  /** First byte asked for, one entry a request. */
  requestedFrom: number[];
  close(): Promise<void>;
}

export interface Cut {
  bytes: number;
  /** Asked until it holds, so that what was sent before the cut has arrived. */
  hasArrived: (upTo: number) => Promise<boolean>;
}

/** For tests: serves a tarball and honours ranges; every reply but the last one is cut off after `cut.bytes`. */
export async function serveTarball(tarball: Buffer, cut?: Cut): Promise<TarballServer> {
  const requestedFrom: number[] = [];
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    requestedFrom.push(from);
    const rest = tarball.subarray(from);
    response.writeHead(206, { 'content-length': rest.length });
    if (!cut || rest.length <= cut.bytes) {
      response.end(rest);
      return;
    }
    response.write(rest.subarray(0, cut.bytes));
    while (!(await cut.hasArrived(from + cut.bytes))) await delay(10);
    response.destroy();
  };
  const server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/package.tgz`,
    requestedFrom,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
