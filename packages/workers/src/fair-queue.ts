/** The owner of a message: a tenant, and one of the tenant's own. */
export type Owner = readonly [tenant: string, member: string];

/** Names an owner, as the key of a map. */
export function ownerKey(owner: Owner): string {
  return JSON.stringify(owner);
}

/** What waits for its turn: tenants take turns, and so do the members of each; of one member the first in order comes first. */
export interface FairQueue<T> {
  readonly size: number;
  add(owner: Owner, order: number, item: T): void;
  /**
   * @param isEligible of a tenant; all are unless given
   * @param isFree of an owner; all are unless given
   */
  take(
    isEligible?: (tenant: string) => boolean,
    isFree?: (owner: Owner) => boolean,
  ): { readonly owner: Owner; readonly item: T } | undefined;
  /** Whether `take` would take one. */
  has(isEligible?: (tenant: string) => boolean, isFree?: (owner: Owner) => boolean): boolean;
  /** Takes the last eligible one, in its order, of the member whose turn comes last. */
  takeLast(isEligible: (item: T) => boolean): T | undefined;
  /** Takes the last in order of the member with the most, of the tenant with the most. */
  takeOfMost(): T | undefined;
}

interface Entry<T> {
  readonly order: number;
  readonly item: T;
}

type Members<T> = Map<string, Entry<T>[]>;

function countOf<T>(members: Members<T>): number {
  return members.values().reduce((sum, entries) => sum + entries.length, 0);
}

/** The first one with the highest count. */
function most<T>(items: Iterable<T>, count: (item: T) => number): T | undefined {
  let best: { readonly item: T; readonly count: number } | undefined;
  for (const item of items) {
    const own = count(item);
    if (!best || own > best.count) best = { item, count: own };
  }
  return best?.item;
}

/** A map yields its keys in the order in which they were put in: who has had a turn is put in again, behind the others. */
export function createFairQueue<T>(): FairQueue<T> {
  const tenants = new Map<string, Members<T>>();
  let size = 0;
  const remove = (tenant: string, member: string) => {
    const members = tenants.get(tenant);
    members?.delete(member);
    if (members?.size === 0) tenants.delete(tenant);
  };
  const takeOut = (tenant: string | undefined, member: string | undefined, entries: Entry<T>[], index: number) => {
    const [entry] = index < 0 ? [] : entries.splice(index, 1);
    if (tenant === undefined || member === undefined || !entry) return undefined;
    if (entries.length === 0) remove(tenant, member);
    size -= 1;
    return entry.item;
  };
  return {
    get size() {
      return size;
    },
    add: ([tenant, member], order, item) => {
      const members: Members<T> = tenants.get(tenant) ?? new Map();
      const entries = members.get(member) ?? [];
      const before = entries.findLastIndex((entry) => entry.order < order);
      entries.splice(before + 1, 0, { order, item });
      tenants.set(tenant, members.set(member, entries));
      size += 1;
    },
    take: (isEligible = () => true, isFree = () => true) => {
      for (const [tenant, members] of tenants) {
        if (!isEligible(tenant)) continue;
        const [member, entries] = members.entries().find(([each]) => isFree([tenant, each])) ?? [];
        const entry = entries?.shift();
        if (member === undefined || !entries || !entry) continue;
        remove(tenant, member);
        if (entries.length > 0) members.set(member, entries);
        tenants.delete(tenant);
        if (members.size > 0) tenants.set(tenant, members);
        size -= 1;
        return { owner: [tenant, member], item: entry.item };
      }
      return undefined;
    },
    has: (isEligible = () => true, isFree = () => true) =>
      tenants
        .entries()
        .some(([tenant, members]) => isEligible(tenant) && members.keys().some((each) => isFree([tenant, each]))),
    takeLast: (isEligible) => {
      const [tenant, members] = [...tenants].at(-1) ?? [];
      const [member, entries = []] = [...(members ?? [])].at(-1) ?? [];
      const index = entries.findLastIndex(({ item }) => isEligible(item));
      return takeOut(tenant, member, entries, index);
    },
    takeOfMost: () => {
      const [tenant, members] = most(tenants, ([, each]) => countOf(each)) ?? [];
      const [member, entries = []] = most(members ?? [], ([, each]) => each.length) ?? [];
      return takeOut(tenant, member, entries, entries.length - 1);
    },
  };
}
