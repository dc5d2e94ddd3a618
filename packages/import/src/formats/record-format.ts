import type { Found } from '../found.ts';

/** A format of JSON records: an array of them, one a line, or the list in a reply of an API. */
export interface RecordFormat {
  /** Whether a record looks like one of this format, which another record of the file then need not. */
  recognises(record: object): boolean;
  /**
   * Reads one record.
   *
   * @param place for people
   * @param fileId of the file, for records that name no document
   * @throws Error with the reason, if nothing of the record can be read
   */
  read(record: unknown, place: string, fileId: string): Iterable<Found>;
  /** Documents of one id in a file are parts of one document. */
  readonly joinsDocuments?: true;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first text that is not blank. */
export function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '');
}

/** The first value that is there. */
export function firstGiven(...values: readonly unknown[]): unknown {
  return values.find((value) => value !== undefined && value !== null && value !== '');
}

/** Where a conversation and its turns come from, cut to a line. */
export function titled(title: unknown): string | undefined {
  return firstText(title)?.replace(/\s+/g, ' ').trim().slice(0, 200);
}
