import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { create } from 'tar';
import type { PinnedBinary } from '../binaries/pinned.ts';
import { waitUntil } from '../wait-until.ts';

/** For tests: a small package with a binary in it, and the pins that belong to it. */
export async function makeTestPackage(folder: string): Promise<{ binary: PinnedBinary; tarball: Buffer }> {
  const content = Buffer.concat([Buffer.from('#!/bin/sh\necho version 1.2.3\n#'), Buffer.alloc(300_000, 'x')]);
  await mkdir(join(folder, 'package/bin'), { recursive: true });
  await writeFile(join(folder, 'package/bin/nats-server'), content);
  await writeFile(join(folder, 'package/package.json'), '{}');
  const file = join(folder, 'package.tgz');
  // Stored rather than compressed, so that there is enough of it to be cut off.
  await create({ gzip: { level: 0 }, file, cwd: folder }, ['package']);
  const tarball = await readFile(file);
  const binary: PinnedBinary = {
    server: 'nats',
    file: 'nats-server',
    variable: 'MNEME_NATS_SERVER',
    addressVariable: 'NATS_URL',
    oldest: [2, 12],
    version: '2.14.0',
    package: 'test-package',
    packageVersion: '1.0.0',
    tarballBytes: tarball.length,
    integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    pathInTarball: 'package/bin/nats-server',
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  };
  return { binary, tarball };
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
    await waitUntil(() => cut.hasArrived(from + cut.bytes), 5_000);
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
