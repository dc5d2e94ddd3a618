import { Counts } from '@mneme/workers/counts';

/** Whose request it is: a space or a user, and one agent of the space. */
export type Requester = readonly [tenant: string, member: string];

/** Decides which requests a service begins to work on. */
export interface Admission {
  /** Whether no request is let in, whatever its sender. */
  readonly isFull: boolean;
  /** @returns what ends the request; undefined when it has to be refused */
  enter(requester: Requester): (() => void) | undefined;
}

/**
 * Lets a tenant have as many requests as there are places left, and a member as many as its tenant may still add. So there
 * are always places for those who have none, without a limit that one meets while the service is idle: one member can have a
 * third of all places if no one else has any, and one tenant half. The rule is that of dynamic thresholds for the shared
 * memory of switches, with factor 1 (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998), twice.
 * @param places how many requests there are at most
 */
export function createAdmission(places: number): Admission {
  const ofTenants = new Counts<string>();
  const ofMembers = new Counts<string>();
  let taken = 0;
  const count = (tenant: string, member: string, by: number) => {
    taken += by;
    ofTenants.add(tenant, by);
    ofMembers.add(member, by);
  };
  return {
    get isFull() {
      return taken >= places;
    },
    enter: ([tenant, name]) => {
      const member = JSON.stringify([tenant, name]);
      if (ofMembers.of(member) >= places - taken - ofTenants.of(tenant)) return undefined;
      count(tenant, member, 1);
      return () => count(tenant, member, -1);
    },
  };
}

interface Named {
  readonly space?: unknown;
  readonly userId?: unknown;
  readonly agentId?: unknown;
}

/** Whose request it is, by the fields that it has; all that name neither a space nor a user are of one tenant. */
export function requesterOf(request: unknown): Requester {
  const { space, userId, agentId } = (request ?? {}) as Named;
  return [String(space ?? userId ?? ''), String(agentId ?? '')];
}
