/** What `normaliseDateTime` takes, in words. */
export const dateTimeForm = 'date or date-time of ISO 8601, of the years 0001 to 9999 in UTC';

/**
 * Parses a date or date-time: ISO 8601 with any offset, `T` or a blank between date and time, seconds and fraction
 * optional. Without an offset it is UTC; a date alone is midnight UTC.
 *
 * @returns ISO 8601 with milliseconds and the caller's own offset (`2023-05-08T13:56:00.000+02:00`, or `Z`), because
 * "yesterday" in a text is counted from the writer's day; undefined when it is not a date of the years 0001 to 9999 in UTC
 */
export function normaliseDateTime(text: string): string | undefined {
  const match = pattern.exec(text);
  if (!match?.groups) return undefined;
  const { date = '', time = '00:00', seconds = '00', fraction = '', offset = 'Z' } = match.groups;
  const local = `${date}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const normalised = `${local}${normaliseOffset(offset)}`;
  return isRealDate(local) && isWithinYears(normalised) ? normalised : undefined;
}

const pattern =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[Tt ](?<time>(?:[01]\d|2[0-3]):[0-5]\d)(?::(?<seconds>[0-5]\d)(?:\.(?<fraction>\d{1,9}))?)?(?<offset>[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/;

function normaliseOffset(offset: string): string {
  if (offset.toUpperCase() === 'Z') return 'Z';
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  return digits === '0000' ? 'Z' : `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** `Date` turns 30 February into 2 March, which the comparison detects. */
function isRealDate(local: string): boolean {
  const date = new Date(`${local}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString() === `${local}Z`;
}

const firstInstant = Date.parse('0001-01-01T00:00:00.000Z');
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

function isWithinYears(normalised: string): boolean {
  const instant = Date.parse(normalised);
  return instant >= firstInstant && instant <= lastInstant;
}
