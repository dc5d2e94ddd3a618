/** A store answers, and is none that can be used. */
export class StoreUnfitError extends Error {
  override readonly name = 'StoreUnfitError';
}

/** What a MongoDB server says about itself, by `buildInfo` and `hello`. */
export interface MongoServer {
  /** Such as `8.0.4`. */
  readonly version: string;
  /** Of its replica set; a server that stands alone has none. */
  readonly setName?: string | undefined;
  /** Whether it waits to become part of a replica set. */
  readonly isInitiating?: boolean | undefined;
  /** `isdbgrid` where it is the router of a sharded cluster. */
  readonly msg?: string | undefined;
}

/** The first that can write to several collections at once, which each batch of events needs. */
const oldestMajor = 8;

/** @throws StoreUnfitError naming what the server lacks, and what to do about it. */
export function checkMongo({ version, setName, isInitiating, msg }: MongoServer): void {
  if (!(Number.parseInt(version, 10) >= oldestMajor)) {
    throw new StoreUnfitError(
      `MongoDB ${version} is too old: Mneme needs MongoDB ${oldestMajor} or newer; update the server, or point MONGODB_URL at another one`,
    );
  }
  if (setName === undefined && !isInitiating && msg !== 'isdbgrid') {
    throw new StoreUnfitError(
      'MongoDB runs alone, without the transactions that Mneme needs: start it with --replSet and call rs.initiate() once, or point MONGODB_URL at a replica set',
    );
  }
}
