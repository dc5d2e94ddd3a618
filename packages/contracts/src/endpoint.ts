import { z } from 'zod';

/** A command or query that a service answers over NATS request/reply. */
export interface Endpoint<Req = unknown, Rep = unknown> {
  readonly service: string;
  readonly name: string;
  /** The NATS subject that the service listens on. */
  readonly subject: string;
  readonly request: z.ZodType<Req>;
  readonly reply: z.ZodType<Rep>;
}

/** What a handler of the endpoint receives, such as `RequestOf<typeof keys.createKey>`. */
export type RequestOf<E extends Endpoint> = z.output<E['request']>;

/** What a handler of the endpoint answers. */
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;

/**
 * @returns defines the endpoint `name` of `service`, by the fields of its request and the schema of its reply; its subject is
 * `mneme.<service>.<name>`
 */
export function endpointsOf(service: string) {
  return <Fields extends z.ZodRawShape, Rep>(
    name: string,
    fields: Fields,
    reply: z.ZodType<Rep>,
  ): Endpoint<z.output<z.ZodObject<Fields>>, Rep> => {
    return { service, name, subject: `mneme.${service}.${name}`, request: z.object(fields), reply };
  };
}
