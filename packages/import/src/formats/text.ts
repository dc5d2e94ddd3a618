import { documentFound, type Found, faultFound } from '../found.ts';
import { readDate, toItems } from '../items.ts';
import { splitText } from '../split-text.ts';
import { sectionsOf } from './markdown-sections.ts';

interface TextFile {
  readonly text: string;
  readonly documentId: string;
  readonly place: string;
  /** When the file was changed last. */
  readonly modified: Date;
  readonly isMarkdown: boolean;
}

/** The longest item of a text, in characters: about a page. */
const maxItemLength = 4_096;

/** Reads a text as one document. The items of Markdown have the headings above them as their context. */
export function* readText({ text, documentId, place, modified, isMarkdown }: TextFile): Iterable<Found> {
  const { date, body } = isMarkdown ? withoutFrontMatter(text) : { date: undefined, body: text };
  const sections = isMarkdown ? sectionsOf(body) : [{ headings: [], text: body }];
  let eventDate = modified.toISOString();
  try {
    eventDate = readDate(date) ?? eventDate;
  } catch (error) {
    yield faultFound(place, `${(error as Error).message}; the time of the file is used`);
  }
  const items = sections.flatMap((section) => {
    const context = section.headings.join(' > ').slice(0, maxItemLength);
    return splitText(section.text, maxItemLength).flatMap((content) => toItems({ content, date: eventDate, context }));
  });
  if (items.length === 0) yield faultFound(place, 'there is no text in it');
  else yield documentFound({ id: documentId, place, items });
}

/** YAML at the beginning, of which only the date is read. */
function withoutFrontMatter(text: string): { date: string | undefined; body: string } {
  const [block, yaml = ''] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text) ?? [];
  if (block === undefined || !isYaml(yaml)) return { date: undefined, body: text };
  const date = /^(?:date|created):[ \t]*["']?([^"'\r\n#]*)/im.exec(yaml);
  return { date: date?.[1]?.trim(), body: text.slice(block.length) };
}

/** `key:` or `key: value`; a key without quotes is one word. */
const keyLine = /^(?:[\p{L}\p{N}_][\p{L}\p{N}_.-]*|"[^"]+"|'[^']+')[ \t]*:(?:[ \t]|$)/u;
/** The same with up to three words, such as `date created`. */
const longKeyLine = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*(?: [\p{L}\p{N}_.-]+){0,2}[ \t]*:(?:[ \t]|$)/u;

/**
 * Whether what stands between two `---` is front matter, and not text between two rules, which would be lost. The first
 * line tells that is neither blank nor a comment: `# ...` alone may as well be a heading. Behind a blank line, where a rule
 * is more likely, a sentence with a colon is text.
 */
function isYaml(block: string): boolean {
  const first = block.split(/\r?\n/).find((line) => !/^\s*(?:#|$)/.test(line));
  if (first === undefined) return block.trim() === '';
  return keyLine.test(first) || (block.startsWith(first) && longKeyLine.test(first));
}
