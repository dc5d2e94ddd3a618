/**
 * How long a server asks to wait (RFC 9110, 10.2.3): whole or broken seconds, or a date.
 * @returns milliseconds, 0 for a date that is over; undefined when it cannot be read
 */
export function readRetryAfter(value: string | null | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  if (!/[a-z]{3}/i.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now.getTime());
}
