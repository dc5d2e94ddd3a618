import { describeMachine, type Machine } from '@mneme/downloads';
import type { ServerName } from '../servers/server.ts';
import { type PinnedBinary, pinnedMachine } from './pinned.ts';

/** Which binaries have to be fetched, or one sentence on why the servers can't be started and what to do. */
export type BinaryPlan = { readonly fetch: readonly PinnedBinary[] } | { readonly refusal: string };

/**
 * Decides where the binaries of servers come from.
 *
 * @param found paths of those that are installed and new enough
 */
export function planBinaries(
  machine: Machine,
  binaries: readonly PinnedBinary[],
  found: ReadonlyMap<ServerName, string>,
): BinaryPlan {
  const missing = binaries.filter(({ server }) => !found.has(server));
  // The servers are started by a shell that ends them with this process.
  if (machine.platform === 'win32' && binaries.length > 0) return { refusal: windowsRefusal };
  if (missing.length === 0 || isPinned(machine)) return { fetch: missing };
  return { refusal: refusalFor(machine, missing) };
}

const windowsRefusal =
  'Windows cannot run the servers of a local start: use `docker compose up`, or run `npm start` in WSL 2 with Debian or Ubuntu.';

function isPinned(machine: Machine): boolean {
  return describeMachine(machine) === describeMachine(pinnedMachine);
}

function refusalFor(machine: Machine, missing: readonly PinnedBinary[]): string {
  const only = `Mneme downloads servers only for ${describeMachine(pinnedMachine)}`;
  const places = installation(machine);
  const ways = missing.map(({ server, file, oldest }) => `${file} ${oldest.join('.')} or newer (${places[server]})`);
  return `${only}; on ${describeMachine(machine)}, put ${listed(ways)} on PATH, or use \`docker compose up\`.`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

const natsReleases = 'https://github.com/nats-io/nats-server/releases';
const qdrantReleases = 'https://github.com/qdrant/qdrant/releases';

/** By which each server is installed; Homebrew and Debian have no Qdrant. */
function installation({ platform, hasGlibc }: Machine): Readonly<Record<ServerName, string>> {
  if (platform === 'darwin')
    return {
      nats: '`brew install nats-server`',
      mongod: '`brew install mongodb/brew/mongodb-community`',
      qdrant: qdrantReleases,
    };
  const mongod = hasGlibc
    ? "package `mongodb-org-server` of MongoDB's repository for Ubuntu: Debian has none for ARM"
    : 'MongoDB has no build for this C library: set MONGODB_URL to a server elsewhere';
  return { nats: `${natsReleases}: Debian's package \`nats-server\` may be older`, mongod, qdrant: qdrantReleases };
}
