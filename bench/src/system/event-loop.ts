/**
 * The longest that the event loop was held up since the metrics were read last, in seconds.
 * @param metrics in the form of Prometheus
 */
export function eventLoopStall(metrics: string): number {
  return Number(/^mneme_event_loop_delay_seconds\{quantile="max"\} (\S+)$/m.exec(metrics)?.[1] ?? Number.NaN);
}
