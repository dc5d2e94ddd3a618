import { endOfString } from './body.ts';

const [quote, comma, colon] = [0x22, 0x2c, 0x3a];
const [listStart, listEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The JSON text of a member as it was sent: parsing and writing it again would change numbers such as 9007199254740993 and
 * 1.10. Of several members with the name it is the last one, as for `JSON.parse`.
 * @param json an object as JSON text in UTF-8, which `parseBody` has accepted
 * @returns undefined when the object has no such member
 */
export function rawMember(json: Buffer, name: string): string | undefined {
  const textBefore = (end: number) => json.toString('utf8', start, end).trim();
  let found: string | undefined;
  let isNamed = false;
  let depth = 0;
  // Where the name or the value begins that is being read, of a member of the object itself.
  let start = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) at = endOfString(json, at);
    else if (byte === objectStart || byte === listStart) depth += 1;
    else if (byte === objectEnd || byte === listEnd) depth -= 1;
    const isOwn = depth === 1;
    if (isNamed && (depth === 0 || (isOwn && byte === comma))) {
      found = textBefore(at);
      isNamed = false;
    }
    if (isOwn && byte === colon) isNamed = JSON.parse(textBefore(at)) === name;
    if (isOwn && (byte === objectStart || byte === comma || byte === colon)) start = at + 1;
  }
  return found;
}
