import { existsSync } from 'node:fs';

/** A machine, as far as it decides which binaries run on it. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: NodeJS.Architecture;
  /** Whether programs that need glibc run: not on Alpine Linux, for example. Without meaning except on Linux. */
  readonly hasGlibc: boolean;
}

/** Programs that need glibc name this loader. A Linux with another C library does not have it. */
const glibcLoaders: Partial<Record<NodeJS.Architecture, string>> = {
  x64: '/lib64/ld-linux-x86-64.so.2',
  arm64: '/lib/ld-linux-aarch64.so.1',
};

export function thisMachine(): Machine {
  const { platform, arch } = process;
  const loader = glibcLoaders[arch];
  return { platform, arch, hasGlibc: platform === 'linux' && loader !== undefined && existsSync(loader) };
}

/** For people and for tables, such as `darwin-arm64` or `linux-x64 without glibc`. */
export function describeMachine({ platform, arch, hasGlibc }: Machine): string {
  return `${platform}-${arch}${platform === 'linux' && !hasGlibc ? ' without glibc' : ''}`;
}
