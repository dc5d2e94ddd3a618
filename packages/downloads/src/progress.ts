/** Is told how much of a download has arrived. @param name what is downloaded, for people */
export type OnDownload = (name: string, receivedBytes: number, totalBytes: number) => void;

/** One line for people, with a bar. */
function describeDownload(name: string, receivedBytes: number, totalBytes: number): string {
  const width = 24;
  const filled = Math.min(width, Math.round((receivedBytes / totalBytes) * width));
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1).padStart(5);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}]`;
  return `${name}: downloading ${bar} ${megabytes(receivedBytes)} of ${megabytes(totalBytes)} MB`;
}

/** Prints downloads: on a terminal each is one line that is drawn over, elsewhere a line for each quarter. */
export function createDownloadPrinter(stream: NodeJS.WriteStream): OnDownload {
  const quarterPrinted = new Map<string, number>();
  return (name, receivedBytes, totalBytes) => {
    const line = describeDownload(name, receivedBytes, totalBytes);
    if (stream.isTTY) {
      stream.write(`\r${line}${receivedBytes >= totalBytes ? '\n' : ''}`);
      return;
    }
    const quarter = Math.floor((receivedBytes / totalBytes) * 4);
    if (quarter === quarterPrinted.get(name)) return;
    quarterPrinted.set(name, quarter);
    stream.write(`${line}\n`);
  };
}
