export {
  type EventsAppended,
  eventsAppended,
  type Handled,
  handled,
  modelRequested,
  mongoConnectionsChanged,
  natsLinkChanged,
  qdrantRequested,
  wroteDeadLetter,
} from './measurements.ts';
export { inSpan, markFailed, pastSpan, type SpanOptions } from './spans.ts';
export { startTracing } from './start-tracing.ts';
export { currentTraceparent, isTraceparent } from './traceparent.ts';
