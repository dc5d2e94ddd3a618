import type { NatsConnection, Subscription } from '@nats-io/nats-core';

/** Who answers discovery requests: one instance of a service. */
export interface ServiceIdentity {
  readonly name: string;
  readonly id: string;
  readonly version: string;
}

type Verb = 'PING' | 'INFO' | 'STATS';

/**
 * Answers the NATS services convention (ADR-32): each verb for all services, for those of this name, and for this
 * instance, so that tools such as `nats micro ls` find the service.
 * @param describe what a verb's answer holds beside the standard fields
 * @returns the subscriptions, for closing
 */
export function answerDiscovery(
  connection: NatsConnection,
  identity: ServiceIdentity,
  describe: Readonly<Record<Verb, () => Readonly<Record<string, unknown>>>>,
): Subscription[] {
  const { name, id, version } = identity;
  return (Object.keys(describe) as Verb[]).flatMap((verb) => {
    const type = `io.nats.micro.v1.${verb.toLowerCase()}_response`;
    const subjects = [`$SRV.${verb}`, `$SRV.${verb}.${name}`, `$SRV.${verb}.${name}.${id}`];
    return subjects.map((subject) =>
      connection.subscribe(subject, {
        callback: (error, message) => {
          if (error) return;
          message.respond(JSON.stringify({ type, name, id, version, metadata: {}, ...describe[verb]() }));
        },
      }),
    );
  });
}

/** Whether any instance of the service `name` answers within `timeoutMs`. */
export async function pingService(connection: NatsConnection, name: string, timeoutMs = 1_000): Promise<boolean> {
  try {
    await connection.request(`$SRV.PING.${name}`, '', { timeout: timeoutMs });
    return true;
  } catch {
    return false;
  }
}
