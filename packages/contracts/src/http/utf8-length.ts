const encoder = new TextEncoder();

/** Length of a text in UTF-8, in bytes; also where there is no `Buffer`. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}
