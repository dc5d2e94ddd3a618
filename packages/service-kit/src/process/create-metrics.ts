import {
  eventsAppended,
  handled,
  modelRequested,
  mongoConnectionsChanged,
  natsLinkChanged,
  qdrantRequested,
  wroteDeadLetter,
} from '@mneme/telemetry';
import { createRegistry, type Metrics } from './metrics.ts';

/** Model servers take up to minutes. In seconds. */
const modelBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Creates the metrics of a process, with what the libraries measure in it, whichever service uses them. */
export function createMetrics(): Metrics {
  const metrics = createRegistry();
  for (const count of [countEvents, countHandlers, countModels, countClients]) count(metrics);
  return metrics;
}

function countEvents(metrics: Metrics): void {
  const appended = metrics.counter({
    name: 'mneme_events_appended_total',
    help: 'Events that a service appended to the log',
    labels: ['service', 'stream', 'type'],
  });
  const durations = metrics.histogram({
    name: 'mneme_append_duration_seconds',
    help: 'How long an append to the log took',
    labels: ['service', 'stream', 'outcome'],
  });
  eventsAppended.subscribe(({ service, stream, types, outcome, seconds }) => {
    durations.observe({ service, stream, outcome }, seconds);
    if (outcome === 'appended') for (const type of types) appended.inc({ service, stream, type });
  });
}

function countHandlers(metrics: Metrics): void {
  const durations = metrics.histogram({
    name: 'mneme_handler_duration_seconds',
    help: 'How long a try of a handler with an event took, by what came of it',
    labels: ['handler', 'outcome'],
  });
  handled.subscribe(({ handler, outcome, seconds }) => durations.observe({ handler, outcome }, seconds));
  const deadLetters = metrics.counter({
    name: 'mneme_dead_letters_total',
    help: 'Events that a handler or a read model gave up, kept for an operator',
    labels: ['reader', 'stream'],
  });
  wroteDeadLetter.subscribe(({ reader, stream }) => deadLetters.inc({ reader, stream }));
}

function countModels(metrics: Metrics): void {
  const durations = metrics.histogram({
    name: 'mneme_model_request_duration_seconds',
    help: 'How long a request to a model server took, each retry by itself',
    labels: ['model', 'outcome'],
    buckets: modelBuckets,
  });
  modelRequested.subscribe(({ model, outcome, seconds }) => durations.observe({ model, outcome }, seconds));
}

function countClients(metrics: Metrics): void {
  const connected = metrics.gauge({
    name: 'mneme_nats_connected',
    help: '1 while a client of NATS has its server',
    labels: ['client'],
  });
  const losses = metrics.counter({
    name: 'mneme_nats_disconnects_total',
    help: 'How often a client of NATS lost its server',
    labels: ['client'],
  });
  natsLinkChanged.subscribe(({ client, state }) => {
    if (state === 'closed') return connected.remove({ client });
    connected.set({ client }, state === 'up' ? 1 : 0);
    losses.inc({ client }, state === 'down' ? 1 : 0);
  });
  const connections = metrics.gauge({
    name: 'mneme_mongodb_connections',
    help: 'Connections to MongoDB: all that are open, and those in use',
    labels: ['state'],
  });
  mongoConnectionsChanged.subscribe(({ state, by }) => connections.inc({ state }, by));
  const requests = metrics.histogram({
    name: 'mneme_qdrant_request_duration_seconds',
    help: 'How long a search or write in Qdrant took',
    labels: ['operation', 'outcome'],
  });
  qdrantRequested.subscribe(({ operation, outcome, seconds }) => requests.observe({ operation, outcome }, seconds));
}
