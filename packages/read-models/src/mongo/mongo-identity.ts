import type { Db } from 'mongodb';

/** Names collections with the UUIDs that MongoDB gave them when they were made; those that do not exist are missing. */
export async function mongoIdentity(db: Db, names: readonly string[]): Promise<Record<string, string>> {
  const found = await db.listCollections({ name: { $in: [...names] } }).toArray();
  return Object.fromEntries(
    found.map((collection) => {
      const { name, info } = collection as { name: string; info?: { uuid?: { toString(encoding?: string): string } } };
      return [`collection ${name}`, info?.uuid?.toString('hex') ?? ''];
    }),
  );
}
