import { codeFence } from '../../code-fence.ts';
import { isQuotedLine } from '../fact-type.ts';
import { linesOf } from '../sentences.ts';
import { hasLabel, type SpeakerReading } from '../speaker.ts';

/** Lines of an item that belong together, by their position. */
export interface Block {
  readonly kind: 'prose' | 'entry' | 'row' | 'code';
  readonly start: number;
  readonly end: number;
  /** Where the text after the marker of a list entry begins; otherwise `start`. */
  readonly bodyStart: number;
  /** The same number, from 1, for the entries of one list and for the rows of one table; otherwise 0. */
  readonly list: number;
}

/** A block of code is cut between lines at this length, in characters. */
const longestCode = 500;
const longestParagraph = 4_000;
const marker = /^[ \t]{0,12}(?:[-*•+–]|\d{1,3}[.)])[ \t]{1,4}(?=\S)/;
const quotedStart = /^[ \t]{0,20}>/m;
const quoteMarks = /^[ \t]{0,20}(?:>[ \t]{0,4}){1,20}/;
const lastWord = /(?:[,;]|\b(?:a|an|and|are|as|at|by|for|from|has|in|is|my|of|on|or|our|the|to|was|with))$/;

/**
 * The blocks of a text, in order: paragraphs, entries of lists, rows of tables, code between fences. Every line starts a
 * block, except where its sentence began on the line before.
 * @param isTurn whether a line begins with a speaker, and so with a sentence
 * @param isHeader whether the line that begins somewhere is only a speaker, and so a block by itself
 */
export function* blocksOf(
  text: string,
  { isTurn, isHeader }: Pick<SpeakerReading, 'isTurn' | 'isHeader'>,
): Generator<Block> {
  let open: Block | undefined;
  let code: Block | undefined;
  let lists = 0;
  let isParted = true;
  let lastKind: Block['kind'] | undefined;
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end);
    if (code !== undefined) {
      const isClosed = codeFence.test(line);
      const isFull = end - code.start > longestCode;
      if (isFull && code.end > code.start) {
        yield code;
        code = { ...code, start, bodyStart: start };
      }
      code = { ...code, end };
      if (!isClosed) continue;
      yield code;
      code = undefined;
      isParted = true;
      continue;
    }
    if (line.trim() === '') {
      if (open !== undefined) yield open;
      open = undefined;
      isParted = true;
      continue;
    }
    if (open !== undefined && continues(text, open, line) && !isTurn(line, start) && !isHeader(open.start)) {
      open = { ...open, end };
      continue;
    }
    if (open !== undefined) yield open;
    const kind = kindOfLine(line);
    const isListed = kind === 'entry' || kind === 'row';
    if (isListed && (kind !== lastKind || (isParted && kind === 'row'))) lists += 1;
    lastKind = kind;
    const list = isListed ? lists : 0;
    const bodyStart = kind === 'entry' ? start + (marker.exec(line)?.[0].length ?? 0) : start;
    const block = { kind, start, end, bodyStart, list };
    open = kind === 'code' ? undefined : block;
    code = kind === 'code' ? block : undefined;
    isParted = false;
  }
  if (open !== undefined) yield open;
  if (code !== undefined) yield code;
}

function kindOfLine(line: string): Block['kind'] {
  if (codeFence.test(line)) return 'code';
  const first = line.trimStart();
  if (first.startsWith('|') && first.indexOf('|', 1) > 0) return 'row';
  return marker.test(line) ? 'entry' : 'prose';
}

/** A line that goes on with the sentence of the line before, as in text that is wrapped at a width. */
function continues(text: string, open: Block, line: string): boolean {
  if (open.kind === 'row' || kindOfLine(line) !== 'prose' || open.end - open.start > longestParagraph) return false;
  return !isQuotedLine(line) && goesOn(text.slice(open.bodyStart, open.end), line);
}

/** Whether a sentence goes on, by the end of its last line and the start of the next one. */
function goesOn(paragraph: string, line: string): boolean {
  const before = paragraph.slice(-20).trimEnd();
  if (/[.!?:…]["'”’)*_]*$/.test(before)) return false;
  const beganLarge = /\p{Lu}/u.test(paragraph.slice(0, 2));
  return lastWord.test(before) || (beganLarge && /^\s*\p{Ll}/u.test(line.slice(0, 40)) && !/^\s*i\b/.test(line));
}

/**
 * A text whose quoted lines (">"), as in mails, are no longer wrapped: a line that goes on with the sentence of the line before
 * is joined to it without its marks, if they are as many. Code and labels, such as `> Subject:`, stay as they are.
 */
export function unwrapQuotations(text: string): string {
  if (!quotedStart.test(text)) return text;
  const lines: string[] = [];
  let open: { readonly depth: number; readonly paragraph: string } | undefined;
  let isCode = false;
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end);
    const [marks = ''] = quoteMarks.exec(line) ?? [];
    const body = line.slice(marks.length);
    const depth = depthOf(marks);
    const isFence = codeFence.test(body);
    if (isFence) isCode = !isCode;
    const isBlank = body.trim() === '';
    const isPlain = !isBlank && !isCode && !isFence && kindOfLine(body) === 'prose' && !hasLabel(body);
    if (isPlain && open?.depth === depth && open.paragraph.length < longestParagraph && goesOn(open.paragraph, body)) {
      const joined = ` ${body.trim()}`;
      lines.push((lines.pop() ?? '').trimEnd() + joined);
      open = { depth, paragraph: open.paragraph + joined };
      continue;
    }
    lines.push(line);
    const isOpen = !isBlank && !isCode && !isFence && isQuotedLine(line);
    open = isOpen ? { depth, paragraph: body.trim().replace(marker, '') } : undefined;
  }
  return lines.join('\n');
}

/** How often a line is quoted: 2 for `>> Hello` and `> > Hello`. */
export function depthOf(line: string): number {
  const [marks = ''] = isQuotedLine(line) ? (quoteMarks.exec(line) ?? []) : [];
  return marks.split('>').length - 1;
}
