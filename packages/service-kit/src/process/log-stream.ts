import { destination } from 'pino';

/** How much may wait to be written, in bytes; lines beyond that are dropped. */
const maxWaitingBytes = 4 * 1024 * 1024;

/**
 * Opens where a logger writes. While nothing can be written, as on a full disk, lines wait and are then dropped, and the
 * process goes on.
 * @param file is appended to; standard output unless given
 * @returns emits `ready` when it is open, and `error` when it cannot be opened
 */
export function createLogStream(file?: string) {
  const stream = destination({ dest: file ?? 1, sync: false, mode: 0o600, maxLength: maxWaitingBytes });
  let isFailing = false;
  stream.on('error', () => {
    isFailing = true;
  });
  stream.on('write', () => {
    isFailing = false;
  });
  // pino calls it when the process exits. It repeats a write that fails until it succeeds, so the process would never end.
  const flush = stream.flushSync.bind(stream);
  stream.flushSync = () => {
    if (!isFailing) flush();
  };
  return stream;
}
