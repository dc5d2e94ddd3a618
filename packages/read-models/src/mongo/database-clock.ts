/** No lease and no sign of life reaches so far ahead, in milliseconds. */
const tooFarMs = 60_000;

/**
 * An expression: whether a time was written while the clock of the database was ahead. It says nothing about now.
 * @param field such as `$expiresAt`
 */
export function isTooFarAhead(field: string) {
  return { $gt: [field, { $add: ['$$NOW', tooFarMs] }] };
}

/**
 * Selects what gave no sign for so many milliseconds, by the clock of the database: those of instances may differ. A sign from
 * the future does not count; who lives gives another one soon.
 */
export function isOlder(field: string, ageMs: number) {
  return { $expr: { $or: [{ $lt: [field, { $subtract: ['$$NOW', ageMs] }] }, isTooFarAhead(field)] } };
}
