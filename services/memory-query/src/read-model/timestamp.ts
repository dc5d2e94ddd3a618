/** ISO 8601 in UTC with milliseconds. */
export function timestamp(date: Date): string {
  return date.toISOString();
}
