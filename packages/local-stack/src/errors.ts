/** A server's binary is not available; the message says which, why, and what to do instead. */
export class BinaryUnavailableError extends Error {
  override readonly name = 'BinaryUnavailableError';
}

/** What came from the registry is not what this version of the sources expects. Nothing of it was kept. */
export class ChecksumError extends Error {
  override readonly name = 'ChecksumError';
}

/** A tarball could not be downloaded, neither directly nor through npm. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/** A server ended, or did not answer in time, while it was started; the message holds the end of its log. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';
}

/** Another process holds the data folder. */
export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError';
}
