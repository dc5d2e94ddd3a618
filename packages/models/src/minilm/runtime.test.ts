import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Machine } from '@mneme/downloads';
import { expect, test } from 'vitest';
import { checkRuntime } from './runtime.ts';

const runtime = dirname(dirname(createRequire(import.meta.url).resolve('onnxruntime-node')));

test.each<[Machine['platform'], Machine['arch'], boolean]>([
  ['linux', 'x64', true],
  ['linux', 'arm64', true],
  ['darwin', 'x64', false],
  ['darwin', 'arm64', false],
  ['win32', 'x64', false],
  ['linux', 'riscv64', true],
  ['freebsd', 'x64', false],
])('on %s-%s the runtime is used if it has a build', (platform, arch, hasGlibc) => {
  const hasBuild = existsSync(join(runtime, 'bin/napi-v3', platform, arch, 'onnxruntime_binding.node'));
  const check = () => checkRuntime({ platform, arch, hasGlibc });
  if (hasBuild) expect(check).not.toThrow();
  else expect(check).toThrow(new RegExp(`onnxruntime-node has no build for ${platform}-${arch}\\.`));
});

test.each(['x64', 'arm64'] as const)('its builds for Linux on %s need glibc', (arch) => {
  const check = () => checkRuntime({ platform: 'linux', arch, hasGlibc: false });
  expect(check).toThrow(`no build for linux-${arch} without glibc. Set EMBEDDING_MODEL to another model`);
});
