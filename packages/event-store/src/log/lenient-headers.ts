import { MsgHdrsImpl } from '@nats-io/nats-core/internal';

/** A name of printable ASCII and a value, or the empty lines at the end. */
const headerLine = /^(?:[!-9;-~]+:[^\r\n]*)?$/;

/**
 * Lets the NATS client (3.4.0) leave out header lines that it takes for invalid, such as a name with a blank, which the server
 * stores for any client. It would throw, within the loop that reads from the socket, and that connection would be dead: one such
 * message would cut off all readers of its stream, again and again.
 */
export function leaveInvalidHeadersOut(): void {
  const { decode } = MsgHdrsImpl;
  // Modules may be loaded several times in a process.
  if (decode.name === 'decodeLeniently') return;
  MsgHdrsImpl.decode = function decodeLeniently(bytes) {
    try {
      return decode(bytes);
    } catch {
      const [version, ...lines] = Buffer.from(bytes).toString().split('\r\n');
      return decode(Buffer.from([version, ...lines.filter((line) => headerLine.test(line))].join('\r\n')));
    }
  };
}
