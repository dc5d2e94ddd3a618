import type { NatsConnection } from '@nats-io/nats-core';

/** Where a projection tells that its checkpoint has moved. Messages can be lost; whoever waits also reads the checkpoint. */
export function commitSubject(name: string, version: number): string {
  return `mneme.projection.${name}.${version}.committed`;
}

/** Tells it once; what happens to the message, or to the connection, is no fault of the commit. */
export function announceCommit(
  connection: NatsConnection,
  projection: { name: string; version: number },
  position: number,
): void {
  if (connection.isClosed() || connection.isDraining()) return;
  connection.publish(commitSubject(projection.name, projection.version), JSON.stringify({ position }));
}

/** Calls back with every announced position. */
export function onCommit(
  connection: NatsConnection,
  projection: { name: string; version: number },
  heard: (position: number) => void,
): { stop(): void } {
  const subscription = connection.subscribe(commitSubject(projection.name, projection.version), {
    callback: (error, message) => {
      if (!error) heard(message.json<{ position: number }>().position);
    },
  });
  return { stop: () => subscription.unsubscribe() };
}
