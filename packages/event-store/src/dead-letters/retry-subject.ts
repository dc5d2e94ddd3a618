/** Where a handler takes requests to handle one event again, by its sequence. */
export function retrySubject(stream: string, durable: string): string {
  return `mneme.handler.${stream}.${durable}.retry`;
}
