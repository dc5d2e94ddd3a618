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
 * Selects records whose time is older than `ageMs`, by the clock of the database, because those of instances may differ. A time
 * too far in the future counts as old; a living instance soon writes another one.
 */
export function isOlder(field: string, ageMs: number) {
  return { $expr: { $or: [{ $lt: [field, { $subtract: ['$$NOW', ageMs] }] }, isTooFarAhead(field)] } };
}
