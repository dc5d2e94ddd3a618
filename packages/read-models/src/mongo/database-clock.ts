/** No lease and no sign of life reaches so far ahead, in milliseconds. */
const tooFarMs = 60_000;

/**
 * An expression: whether a time was written while the clock of the database was ahead. It says nothing about now.
 * @param field such as `$expiresAt`
 */
export function isTooFarAhead(field: string) {
  return { $gt: [field, { $add: ['$$NOW', tooFarMs] }] };
}
