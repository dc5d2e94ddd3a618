/** Why the rest of a file cannot be read. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
}
