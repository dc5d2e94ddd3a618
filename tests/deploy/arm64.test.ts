import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scaled } from '@mneme/local-stack/testing';
import { afterAll, expect, test } from 'vitest';
import { emulatedArm64 } from './arm64.ts';
import { startIn, tryServices } from './image-process.ts';
import { makeImageTrees } from './image-tree.ts';

const isLong = scaled({ full: 1, short: 0 }) === 1;

const folder = mkdtempSync(join(tmpdir(), 'mneme-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Emulated programs take many times as long, so this is one of the long tests.
test.runIf(isLong && process.platform === 'linux' && process.arch === 'x64')(
  'with the files of the image for arm64, every service starts, works and ends on such a processor',
  async () => {
    const { production } = makeImageTrees(['production'], folder, emulatedArm64(folder));
    const asked = startIn(production, ['node', '--print', 'process.arch'], {});
    await asked.exited;
    expect(asked.output().trim()).toBe('arm64');
    await tryServices(production, 600_000);
  },
  1_200_000,
);
