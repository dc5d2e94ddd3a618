/** What `$SRV.STATS` tells about one endpoint. Times are nanoseconds, as the convention has it. */
export interface EndpointStatisticsReport {
  readonly name: string;
  readonly subject: string;
  readonly queue_group: string;
  readonly num_requests: number;
  readonly num_errors: number;
  readonly last_error: string;
  readonly processing_time: number;
  readonly average_processing_time: number;
}

/** Counts the requests of one endpoint of one instance. */
export class EndpointStatistics {
  #requests = 0;
  #errors = 0;
  #lastError = '';
  #processingMs = 0;

  record(elapsedMs: number, error: { status: number; message: string } | undefined): void {
    this.#requests += 1;
    this.#processingMs += elapsedMs;
    if (!error) return;
    this.#errors += 1;
    this.#lastError = `${error.status}:${error.message}`;
  }

  report(endpoint: { name: string; subject: string; queueGroup: string }): EndpointStatisticsReport {
    const nanoseconds = Math.round(this.#processingMs * 1e6);
    return {
      name: endpoint.name,
      subject: endpoint.subject,
      queue_group: endpoint.queueGroup,
      num_requests: this.#requests,
      num_errors: this.#errors,
      last_error: this.#lastError,
      processing_time: nanoseconds,
      average_processing_time: this.#requests === 0 ? 0 : Math.trunc(nanoseconds / this.#requests),
    };
  }
}
