/** What came from the registry is not what this version of the sources expects. Nothing of it was kept. */
export class ChecksumError extends Error {
  override readonly name = 'ChecksumError';
}

/** A tarball could not be downloaded, neither directly nor through npm. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}
