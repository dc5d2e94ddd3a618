/** A server's binary is not available; the message says which, why, and what to do instead. */
export class BinaryUnavailableError extends Error {
  override readonly name = 'BinaryUnavailableError';
}

/** A server ended, or did not answer in time, while it was started; the message holds the end of its log. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';
}

/** Another process holds the data folder. */
export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError';
}
