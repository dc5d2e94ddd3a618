export {
  type EventsAppended,
  eventsAppended,
  type Handled,
  handled,
  type Measurement,
  type ModelRequest,
  modelRequested,
  mongoConnectionsChanged,
  natsLinkChanged,
  type QdrantRequest,
  qdrantRequested,
  type WrittenDeadLetter,
  wroteDeadLetter,
} from './measurements.ts';
export { inSpan, markFailed, pastSpan, type SpanOptions } from './spans.ts';
export { startTracing, type Tracing } from './start-tracing.ts';
export { currentTraceparent, isTraceparent } from './traceparent.ts';
