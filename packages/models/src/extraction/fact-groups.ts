import type { FactType } from '../ports.ts';
import type { Statement } from './statements/statements.ts';

/** The statements of one fact, in order, without a gap. */
export interface StatementGroup<S extends Statement> {
  readonly members: readonly S[];
  readonly factType: FactType;
  /** The heading of its list or table, when it is not among the members. */
  readonly heading: S | undefined;
}

/** In characters: fragments, entries of lists and answers are added up to this length. */
const usualLength = 300;
/** Up to this length, one sentence gets another that needs it. */
const maxDependentLength = 600;
const maxCodeLength = 700;
const longestHeading = 160;
/** Of longer items, neighbouring statements are joined so that about this many facts remain. */
const usualCount = 1_000;

/**
 * How long a fact is at least if the one after it can be added: most items are divided into single statements, very long ones less
 * finely, and those in other languages than English as coarsely as possible.
 */
export function leastLength(itemLength: number, isInEnglish: boolean): number {
  return isInEnglish ? Math.min(usualLength, Math.floor(itemLength / usualCount)) : usualLength;
}

/**
 * Groups statements into facts. Each sentence that states or asks something is a fact of its own, with these additions:
 * fragments join what is before them, or after them at the start of a turn; a sentence that begins with "It" or "They"
 * joins the one before; a heading joins what it introduces; entries of a list and rows of a table are joined up to 300
 * characters; an answer of another speaker joins a question. A fact has one type and, but for answers and fragments, one
 * speaker.
 */
export function* groupStatements<S extends Statement>(
  statements: Iterable<S>,
  least: number,
): Generator<StatementGroup<S>> {
  let group: StatementGroup<S> | undefined;
  let heading: S | undefined;
  let previous: S | undefined;
  for (const [statement, next] of withNext(statements)) {
    if (group !== undefined && belongs(group, statement, next, least)) {
      group = added(group, statement);
    } else {
      if (group !== undefined) yield group;
      const continued = isListed(statement) ? heading : undefined;
      group = { members: [statement], factType: statement.type, heading: continued };
    }
    heading = headingOf(heading, statement, previous);
    previous = statement;
  }
  if (group !== undefined) yield group;
}

function* withNext<S>(statements: Iterable<S>): Generator<[S, S | undefined]> {
  let current: S | undefined;
  for (const next of statements) {
    if (current !== undefined) yield [current, next];
    current = next;
  }
  if (current !== undefined) yield [current, undefined];
}

function added<S extends Statement>(group: StatementGroup<S>, statement: S): StatementGroup<S> {
  const factType = hasMain(group) ? group.factType : statement.type;
  return { ...group, members: [...group.members, statement], factType };
}

/** Whether it needs the heading of its list: an entry, also one for somebody ("- Noor: prepare the deck"). */
function isListed({ kind, list, isPrefixed, speaker }: Statement): boolean {
  return kind === 'entry' || (list > 0 && isPrefixed && speaker?.isUncertain === true);
}

/** What the next entries of the list need in front of them: the line before the list, or the first row of the table. */
function headingOf<S extends Statement>(before: S | undefined, statement: S, previous: S | undefined): S | undefined {
  const isFirstRow = statement.isRow && previous?.list !== statement.list;
  if (statement.kind === 'lead' || isFirstRow) return lengthOf(statement) <= longestHeading ? statement : undefined;
  return statement.list > 0 ? before : undefined;
}

function belongs<S extends Statement>(group: StatementGroup<S>, next: S, after: S | undefined, least: number): boolean {
  const [first] = group.members;
  const last = group.members.at(-1);
  if (first === undefined || last === undefined) return false;
  const length = next.end - first.start;
  const isSameType = next.type === group.factType;
  const isShort = last.end - first.start < least && length <= usualLength;
  if (next.quoteDepth !== last.quoteDepth && !isShort && !joinsOthers(group, last, next)) return false;
  if (next.isPrefixed && isSameType && next.isShared && isShort) return true;
  if (next.isPrefixed) return length <= usualLength && isSameType && joinsTurn(group, last, next, after);
  if (!hasMain(group)) {
    const limit = next.kind === 'code' ? maxCodeLength : usualLength;
    return length <= limit && (isSameType || group.factType === 'world');
  }
  const fits = isSameType || next.type === 'world';
  switch (next.kind) {
    case 'fragment':
      return fits && length <= maxDependentLength;
    case 'dependent':
      return fits && last.kind !== 'code' && length <= (group.members.length === 1 ? maxDependentLength : usualLength);
    case 'entry':
      return last.kind === 'entry' && last.list === next.list && length <= usualLength && isSameType;
    case 'statement':
    case 'question':
      return isShort && isSameType;
    default:
      return false;
  }
}

/** Whether it belongs to what another one wrote, as it is quoted more or less often: the line above tells so, or it answers. */
function joinsOthers<S extends Statement>({ members }: StatementGroup<S>, last: S, next: S): boolean {
  return last.kind === 'lead' || (next.quoteDepth < last.quoteDepth && members.some(({ isQuestion }) => isQuestion));
}

/** An answer joins its question, and a turn that states nothing joins what it comments on. */
function joinsTurn<S extends Statement>(group: StatementGroup<S>, last: S, next: S, after: S | undefined): boolean {
  if (last.isQuestion || !hasMain(group)) return true;
  const goesOn = after !== undefined && !after.isPrefixed;
  return next.kind === 'fragment' && !goesOn;
}

/** Whether it holds more than fragments and headings. */
function hasMain<S extends Statement>({ members }: StatementGroup<S>): boolean {
  return members.some(({ kind }) => kind !== 'fragment' && kind !== 'lead');
}

function lengthOf({ start, end }: Statement): number {
  return end - start;
}
