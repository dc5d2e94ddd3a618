import type { NatsConnection } from '@nats-io/nats-core';

const consumerCreation = '$JS.API.CONSUMER.CREATE.';

/** A connection whose first reads are answered as by a replica that does not have the messages yet. */
export function behindFor(connection: NatsConnection, reads: number): NatsConnection {
  let left = reads;
  return changing(connection, {
    publish: (subject, data, options) => {
      const isBehind = subject.startsWith('$JS.API.DIRECT.GET.') && left > 0;
      if (isBehind) left -= 1;
      const asked = isBehind ? JSON.stringify({ ...JSON.parse(String(data)), seq: Number.MAX_SAFE_INTEGER }) : data;
      connection.publish(subject, asked, options);
    },
    request: (subject, data, options) => {
      const isBehind = subject.startsWith(consumerCreation) && left > 0;
      if (!isBehind) return connection.request(subject, data, options);
      left -= 1;
      const wanted = JSON.parse(new TextDecoder().decode(data as Uint8Array));
      const config = { ...wanted.config, deliver_policy: 'by_start_sequence', opt_start_seq: Number.MAX_SAFE_INTEGER };
      delete config.opt_start_time;
      return connection.request(subject, JSON.stringify({ ...wanted, config }), options);
    },
  });
}

/** A connection whose consumers are handed out nothing for some time after they are made, as by a server that is slow. */
export function silentFor(connection: NatsConnection, silenceMs: number): NatsConnection {
  return changing(connection, {
    request: (subject, data, options) => {
      if (!subject.startsWith(consumerCreation)) return connection.request(subject, data, options);
      const wanted = JSON.parse(new TextDecoder().decode(data as Uint8Array));
      wanted.config.pause_until = new Date(Date.now() + silenceMs).toISOString();
      return connection.request(subject, JSON.stringify(wanted), options);
    },
  });
}

/** A connection that loses the message at a sequence the first time that it is read, as one that is made anew in between. */
export function losingOnce(connection: NatsConnection, sequence: number): NatsConnection {
  let isLost = false;
  return changing(connection, {
    subscribe: (subject, options) =>
      connection.subscribe(subject, {
        ...options,
        callback: (error, message) => {
          if (isLost || message.headers?.get('Nats-Sequence') !== `${sequence}`)
            return options?.callback?.(error, message);
          isLost = true;
        },
      }),
  });
}

/** A connection with some methods of its own. */
export function changing(
  connection: NatsConnection,
  changed: Partial<Pick<NatsConnection, 'publish' | 'request' | 'subscribe'>>,
): NatsConnection {
  return new Proxy(connection, {
    get: (target, name) => {
      const value = Reflect.get(changed, name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
