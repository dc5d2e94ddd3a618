import { homedir } from 'node:os';
import { join } from 'node:path';

/** A package of the npm registry, and what exactly its tarball has to be. */
export interface PinnedPackage {
  readonly package: string;
  readonly packageVersion: string;
  readonly tarballBytes: number;
  /** SHA-512 of the tarball as the registry states it. */
  readonly integrity: string;
}

/** A file in a tarball, and what exactly it has to be. */
export interface PinnedFile {
  readonly pathInTarball: string;
  readonly bytes: number;
  /** SHA-256 of its content, in hexadecimal. */
  readonly sha256: string;
}

/** Folder for downloads of a kind, such as `~/.cache/mneme/bin` unless XDG_CACHE_HOME says otherwise. */
export function cacheFolder(environment: NodeJS.ProcessEnv, kind: string): string {
  return join(environment.XDG_CACHE_HOME || join(environment.HOME || homedir(), '.cache'), 'mneme', kind);
}

/** What npm prints says more than that it failed; where it keeps its log is of no use here. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const printed = 'stderr' in error ? String(error.stderr).split('\n') : [];
  const told = printed.filter((line) => line !== '' && !line.includes('A complete log of this run')).join(' ');
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return told || `${error.message}${cause}`;
}
