import { makeTestPackage } from '@mneme/downloads/testing';
import type { PinnedBinary } from '../binaries/pinned.ts';

/** For tests: a small package with a binary in it, and the pins that belong to it. */
export async function makeTestBinary(folder: string): Promise<{ binary: PinnedBinary; tarball: Buffer }> {
  const name = 'bin/nats-server';
  const content = Buffer.concat([Buffer.from('#!/bin/sh\necho version 1.2.3\n#'), Buffer.alloc(300_000, 'x')]);
  const { pinned, files, tarball } = await makeTestPackage(folder, { [name]: content });
  const file = files[name];
  if (!file) throw new Error('The test package has no binary');
  const server = {
    server: 'nats',
    file: 'nats-server',
    variable: 'MNEME_NATS_SERVER',
    addressVariable: 'NATS_URL',
  } as const;
  return { binary: { ...server, oldest: [2, 12], version: '2.14.0', ...pinned, ...file }, tarball };
}
