/** A place in a JetStream stream; `sequence` counts from 1, and 0 stands for "before the first event". */
export interface Position {
  readonly stream: string;
  readonly sequence: number;
}

/** Writes a position as it travels in headers, for example `MEMORY:42`. */
export function formatPosition(position: Position): string {
  return `${position.stream}:${position.sequence}`;
}

/** Reads what {@link formatPosition} wrote; undefined for anything else. */
export function parsePosition(text: string): Position | undefined {
  const match = /^([\w-]{1,64}):(0|[1-9]\d{0,14})$/.exec(text);
  if (!match?.[1] || !match[2]) return undefined;
  return { stream: match[1], sequence: Number(match[2]) };
}
