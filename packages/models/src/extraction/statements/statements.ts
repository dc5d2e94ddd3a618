import type { FactType } from '../../ports.ts';
import { factTypeOf } from '../fact-type.ts';
import { cut, type Span, sentencesIn, type Turn, turnsOf } from '../sentences.ts';
import { hasLabel, type Speaker, type SpeakerReading } from '../speaker.ts';
import { type Block, blocksOf, depthOf } from './blocks.ts';
import { clausesOf } from './clauses.ts';
import { hasPersonSubject, isQuestion, isTitle, kindOf, type StatementKind } from './kinds.ts';

/** A sentence, a clause of one, an entry of a list, a row or a piece of code, by its position in the item. */
export interface Statement extends Span {
  readonly kind: StatementKind;
  readonly type: FactType;
  readonly isQuestion: boolean;
  readonly speaker: Speaker | undefined;
  /** It begins with the prefix of its speaker. */
  readonly isPrefixed: boolean;
  /** Several speakers share its line. */
  readonly isShared: boolean;
  /** It begins with another label than that of its line: "Bug: the app crashes. Severity: high" */
  readonly hasOwnLabel: boolean;
  /** Where it begins after that prefix. */
  readonly bodyStart: number;
  /** It was in the middle of a sentence. */
  readonly isDivided: boolean;
  readonly isRow: boolean;
  /** How often its line is quoted: 2 for `>> Hello`. */
  readonly quoteDepth: number;
  /** The same number for what belongs to one list or table; 0 outside of them. */
  readonly list: number;
}

/** Shorter sentences of other languages than English count as fragments. */
const shortestForeign = 40;
/** Longer entries of a list are divided into sentences. */
const longestEntry = 300;
/** The sentences of one quotation stay together up to this length. */
const longestQuote = 500;

/** The statements of an item, in order. */
export function* statementsOf(text: string, speakers: SpeakerReading, isInEnglish: boolean): Generator<Statement> {
  const blocks = [...blocksOf(text, speakers)];
  let header: Block | undefined;
  for (const [index, block] of blocks.entries()) {
    if (speakers.isHeader(block.start)) {
      speakers.read(text.slice(block.start, block.end), block.start);
      header ??= block;
      continue;
    }
    const lines = { ...block, isTitle: introduces(text, blocks, index) };
    yield* startingAt(header?.start, statementsIn(text, lines, speakers, isInEnglish));
    header = undefined;
  }
}

function* statementsIn(
  text: string,
  block: Lines,
  speakers: SpeakerReading,
  isInEnglish: boolean,
): Generator<Statement> {
  const speaker = speakers.current();
  if (block.kind === 'code' || block.kind === 'row')
    yield* wholeBlock(text, block, speaker?.isUncertain ? undefined : speaker);
  else yield* readTurns(text, block, speakers, isInEnglish);
}

/** The first one begins with the line above it, which is only its speaker. */
function* startingAt(start: number | undefined, statements: Iterable<Statement>): Generator<Statement> {
  let from = start;
  for (const statement of statements) {
    yield from === undefined ? statement : { ...statement, start: from, isPrefixed: true };
    from = undefined;
  }
}

interface Lines extends Block {
  /** It stands where the title of a list does. */
  readonly isTitle: boolean;
}

/**
 * Whether a block is a line directly before a list, or with one empty line between, which does not go on with the line above.
 * One entry alone may be a signature.
 */
function introduces(text: string, blocks: readonly Block[], index: number): boolean {
  const [block, entry, another] = blocks.slice(index, index + 3);
  if (block?.kind !== 'prose' || entry?.kind !== 'entry' || another?.list !== entry.list) return false;
  if (linesBetween(text, block, entry) > 2 || indentOf(text, block) > indentOf(text, entry)) return false;
  const above = blocks[index - 1];
  if (above === undefined || linesBetween(text, above, block) > 1) return true;
  const isOver = above.kind !== 'prose' || /[.!?]$/.test(text.slice(above.start, above.end).trimEnd());
  return isOver && !/^\s*\p{Ll}/u.test(text.slice(block.start, block.end));
}

function linesBetween(text: string, { end }: Span, { start }: Span): number {
  return text.slice(end, start).split('\n').length - 1;
}

function indentOf(text: string, { start, end }: Span): number {
  return text.slice(start, end).search(/\S/);
}

const plain = {
  type: 'world',
  isQuestion: false,
  isPrefixed: false,
  isShared: false,
  hasOwnLabel: false,
  isDivided: false,
  isRow: false,
  quoteDepth: 0,
} as const;

/** A row or a piece of code; a line of more than 1,000 characters is several. */
function* wholeBlock(text: string, block: Block, speaker: Speaker | undefined): Generator<Statement> {
  const isRow = block.kind === 'row';
  const own = { ...plain, kind: isRow ? 'entry' : 'code', speaker, isRow, list: block.list } as const;
  for (const { start, end } of cut(text, block.start, block.end)) yield { ...own, start, end, bodyStart: start };
}

function* readTurns(text: string, block: Lines, speakers: SpeakerReading, isInEnglish: boolean): Generator<Statement> {
  for (const turn of turnsOf(text, block, speakers)) {
    const bodyStart = Math.max(turn.start, block.bodyStart);
    yield* readLines(text, { ...block, ...turn, bodyStart }, speakers, isInEnglish);
  }
}

function* readLines(
  text: string,
  block: Lines & Turn,
  speakers: SpeakerReading,
  isInEnglish: boolean,
): Generator<Statement> {
  const { start, end, list, isShared } = block;
  const whole = text.slice(start, end);
  const prefix = speakers.read(whole, start, isShared);
  const quoteDepth = depthOf(whole);
  const isEntry = block.kind === 'entry' && prefix === undefined && !hasPersonSubject(text.slice(block.bodyStart, end));
  const isTitled = isInEnglish && block.isTitle && prefix === undefined && isTitle(whole);
  const read = ({ isPrefixed = false, isDivided = false, ...span }: Part): Statement => {
    const body = text.slice(span.bodyStart, span.end).trimEnd();
    const speaker = speakers.current();
    const hasOwnLabel = !isPrefixed && isLabelled(text.slice(span.start, span.end), speaker);
    const isWhole = span.start === start && span.end === end;
    const kind = isTitled && isWhole ? 'lead' : isInEnglish ? kindOf(body, isEntry) : kindOfForeign(body);
    const isOthers = quoteDepth > 0 || (speaker === undefined && speakers.isByOthers(span.start));
    const type = isOthers ? 'world' : factTypeOf(text.slice(span.start, span.end), speaker);
    const own = {
      kind,
      type,
      isQuestion: isQuestion(body),
      speaker,
      isPrefixed,
      isShared,
      hasOwnLabel,
      isDivided,
      list,
      quoteDepth,
    };
    return { ...plain, ...span, ...own };
  };
  if (isEntry && end - start <= longestEntry) {
    yield read({ start, end, bodyStart: start });
    return;
  }
  let prefixLength = prefix?.prefixLength;
  for (const sentence of sentencesWithQuotes(text, prefix !== undefined || isEntry ? start : block.bodyStart, end)) {
    const isPrefixed = prefixLength !== undefined;
    const bodyStart = Math.min(sentence.end, sentence.start + (prefixLength ?? 0));
    prefixLength = undefined;
    const clauses = isInEnglish && !isEntry ? clausesOf(text.slice(bodyStart, sentence.end)) : [];
    if (clauses.length < 2) yield read({ ...sentence, bodyStart, isPrefixed });
    else
      for (const [index, clause] of clauses.entries()) {
        const from = bodyStart + clause.start;
        const own = { start: from, bodyStart: from, end: bodyStart + clause.end, isDivided: true };
        yield read(index > 0 ? own : { ...own, start: sentence.start, isPrefixed, isDivided: false });
      }
  }
}

/** Whether a sentence in the line of a label has a label of its own. */
function isLabelled(sentence: string, speaker: Speaker | undefined): boolean {
  return speaker?.isUncertain === true && !speaker.isNamed && hasLabel(sentence);
}

interface Part extends Span {
  readonly bodyStart: number;
  readonly isPrefixed?: boolean;
  readonly isDivided?: boolean;
}

function kindOfForeign({ length }: string): StatementKind {
  return length < shortestForeign ? 'fragment' : 'statement';
}

/** The sentences of a paragraph; those of one quotation count as one. */
function* sentencesWithQuotes(text: string, start: number, end: number): Generator<Span> {
  let open: Span | undefined;
  let balance = 0;
  for (const sentence of sentencesIn(text, start, end)) {
    balance = open === undefined ? 0 : balance;
    open = { start: open?.start ?? sentence.start, end: sentence.end };
    balance = quoteBalance(text, sentence, balance);
    if (balance !== 0 && open.end - open.start < longestQuote) continue;
    yield open;
    open = undefined;
  }
  if (open !== undefined) yield open;
}

/** Above 0 inside a quotation; a straight mark opens and closes in turn. */
function quoteBalance(text: string, { start, end }: Span, before: number): number {
  let balance = before;
  for (let index = start; index < end; index += 1) {
    const mark = text.charAt(index);
    if (mark === '"') balance = balance === 0 ? 1 : 0;
    else if (mark === '“' || mark === '«') balance = 1;
    else if (mark === '”' || mark === '»') balance = 0;
  }
  return balance;
}
