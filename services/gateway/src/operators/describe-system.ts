import {
  type DeadLetterReply,
  gateway,
  type ReadModelReport,
  type ReadModelsReply,
  type ServicesReply,
  type StreamsReply,
} from '@mneme/contracts';
import { type DeadLetter, deadLetterStream, formatPosition } from '@mneme/event-store';
import {
  type AskedService,
  askServices,
  foundReadModels,
  type OperatedSystem,
  readModelOf,
  servicesBehindGateway,
} from '@mneme/read-models';
import { findInstances } from '@mneme/service-kit';
import { jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { eventStreams } from '../event-logs.ts';

/** The services of the system, as operators know them. */
const serviceNames = [gateway.createSignInCode.service, ...servicesBehindGateway];
/** How many deferred aggregates of a version are shown. */
const maxDeferred = 100;
/** How many streams are listed. */
const maxStreams = 1_000;

export async function describeServices(connection: NatsConnection, system: OperatedSystem): Promise<ServicesReply> {
  const asked = askServices(system);
  const services = serviceNames.map(async (name) => {
    const found = await findInstances(connection, name);
    const instances = found.map(({ id, version, started, requests, errors }) => {
      return { id, version, started_at: started, requests, errors };
    });
    const reason = reasonOf(
      name,
      (await asked).find(({ service }) => service === name),
    );
    if (instances.length === 0)
      return { name, state: 'unavailable' as const, reason: 'No instance answers', instances };
    return { name, state: reason === null ? ('ready' as const) : ('degraded' as const), reason, instances };
  });
  return { services: await Promise.all(services) };
}

/** Why a service cannot answer everything; null when it can. */
function reasonOf(name: string, asked: AskedService | undefined): string | null {
  if (!asked) return null;
  if (asked.readModels instanceof Error) return `${name} does not answer: ${asked.readModels.message}`;
  const reasons = asked.readModels.flatMap(({ reason }) => reason ?? []);
  return reasons.length === 0 ? null : reasons.join('; ');
}

export async function describeStreams(connection: NatsConnection): Promise<StreamsReply> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const streams: StreamsReply['streams'] = [];
  for await (const info of manager.streams.list()) {
    streams.push(toStream(info));
    if (streams.length === maxStreams) break;
  }
  return { streams: streams.sort((left, right) => left.name.localeCompare(right.name)) };
}

function toStream({ config, state }: StreamInfo): StreamsReply['streams'][number] {
  const isEmpty = state.messages === 0;
  return {
    name: config.name,
    kind: kindOf(config.name),
    messages: state.messages,
    bytes: state.bytes,
    max_bytes: config.max_bytes > 0 ? config.max_bytes : null,
    first_sequence: state.first_seq,
    last_sequence: state.last_seq,
    first_at: isEmpty ? null : toTime(state.first_ts),
    last_at: isEmpty ? null : toTime(state.last_ts),
    consumers: state.consumer_count,
    replicas: config.num_replicas,
  };
}

/** The server gives nanoseconds. */
function toTime(stamp: string): string {
  return new Date(stamp).toISOString();
}

function kindOf(name: string): StreamsReply['streams'][number]['kind'] {
  if (eventStreams.some((stream) => stream.name === name)) return 'events';
  if (name === deadLetterStream) return 'dead-letters';
  return name.startsWith('KV_') ? 'bucket' : 'other';
}

export async function describeReadModels(system: OperatedSystem): Promise<ReadModelsReply> {
  const asked = await askServices(system);
  const unavailable = asked.flatMap(({ service, readModels }) =>
    readModels instanceof Error ? [{ service, reason: readModels.message }] : [],
  );
  return {
    read_models: foundReadModels(asked).map(({ name, service, reason, versions }) => {
      return { name, service, reason, versions: versions.map(toVersion) };
    }),
    unavailable,
  };
}

function toVersion(version: ReadModelReport['versions'][number]) {
  const { lanes, deferrals, lagSeconds, name: _, ...described } = version;
  return {
    ...described,
    lag_seconds: lagSeconds,
    dead_letters: deferrals.length,
    lanes: lanes.map(({ failuresInARow, lagSeconds, ...lane }) => {
      return { ...lane, lag_seconds: lagSeconds, failures_in_a_row: failuresInARow };
    }),
    deferred: deferrals.slice(0, maxDeferred),
  };
}

export function toDeadLetter(letter: DeadLetter): DeadLetterReply {
  const { sequence, time, by, aggregate = null, type = null, subject, position, reason } = letter;
  return {
    id: sequence,
    failed_at: time,
    reader: by,
    read_model: readModelOf(letter)?.name ?? null,
    aggregate,
    type,
    subject,
    position: formatPosition(position),
    reason,
  };
}
