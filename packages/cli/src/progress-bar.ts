const width = 30;

/** A line such as `[######........] 40 %`. */
export function progressBar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * width);
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${Math.floor(share * 100)} %`;
}

/** Draws over one line on a terminal; elsewhere prints a line for each tenth. */
export function createProgressBar(stream: NodeJS.WriteStream, what: string): (done: number, total: number) => void {
  let tenth = -1;
  return (done, total) => {
    const line = `${what} ${progressBar(done, total)}`;
    if (stream.isTTY) stream.write(`\r${line}${done >= total ? '\n' : ''}`);
    else if (Math.floor((10 * done) / Math.max(1, total)) > tenth) {
      tenth = Math.floor((10 * done) / Math.max(1, total));
      stream.write(`${line}\n`);
    }
  };
}
