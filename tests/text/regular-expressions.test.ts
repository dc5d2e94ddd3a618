import { analyse } from 'scslre';
import { describe, expect, it } from 'vitest';
import { patternsIn, patternsMadeBy, type SourcePattern, sourceFiles } from './source-patterns.ts';

/** What reads texts that callers send. */
const folders = [
  'packages/models/src',
  'services/memory-query/src',
  'services/memory-ingest/src',
  'services/gateway/src',
  'services/webhook/src',
  'packages/contracts/src',
  'packages/service-kit/src',
];

/** Expressions that may take more than linear time, each with the reason why that does no harm. */
const exceptions: Readonly<Record<string, string>> = {
  [String(/(?:^|[.!?:\n…•*>|–—\-"“”«([¿¡])[\s"“'‘«([*_]*$/)]: 'reads the 30 characters in front of a name',
  [String(/^[.\s]+|[.\s]+$/g)]: 'reads a file name of at most 200 bytes',
  [String(/\/+$/)]: 'reads the configuration',
};

/** Files that make expressions within functions, how many, and of what. */
const madeInFunctions: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  'packages/models/src/dates/clause.ts': [1, 'called while the file is loaded'],
  'packages/models/src/dates/dated-lines.ts': [1, 'of the length of a match of at most 2,000 characters'],
  'packages/models/src/dates/label-kinds.ts': [1, 'of the names of header lines, while the file is loaded'],
  'packages/models/src/dates/named-times.ts': [1, 'of the names of holidays, while the file is loaded'],
  'packages/models/src/dates/window/grammar.ts': [1, 'called while the rules are loaded'],
  'packages/models/src/reasoning/attribute.ts': [2, 'called while the file is loaded'],
  'services/memory-query/src/search/question/question.ts': [1, 'of a name of 41 characters at most, escaped'],
  'services/memory-query/src/units/queries.ts': [1, 'a word of 64 letters and digits at most, which MongoDB compares'],
};

const files = sourceFiles(folders);
const read = files.map((file) => ({ file, ...patternsIn(file) }));
const made = await patternsMadeBy(files);
const patterns = distinct([...read.flatMap(({ literals }) => literals), ...made]);

function distinct(all: readonly SourcePattern[]): SourcePattern[] {
  return [...new Map(all.map((each) => [String(each.pattern), each])).values()];
}

/** Kinds of backtracking that can take more than linear time: within the expression, or by where it begins to look. */
function faultsOf({ source, flags }: RegExp): string[] {
  return analyse({ source, flags }).reports.map(({ type, exponential }) =>
    exponential ? `${type}, exponential` : type,
  );
}

describe('regular expressions over texts of callers', () => {
  it('are found, those that are written and those that are made of parts', () => {
    expect(patterns.length).toBeGreaterThan(200);
    const inFiles = new Set(made.map(({ file }) => file));
    expect(inFiles).toContain('packages/models/src/extraction/names.ts');
    expect(inFiles).toContain('services/memory-query/src/search/scoring/unit-form.ts');
  });

  it('take linear time', () => {
    const faulty = patterns
      .filter(({ pattern }) => exceptions[String(pattern)] === undefined)
      .map(({ file, pattern }) => ({ file, pattern: String(pattern), faults: faultsOf(pattern) }))
      .filter(({ faults }) => faults.length > 0);
    expect(faulty).toEqual([]);
  });

  it('have no modifiers, which V8 does not always apply (nodejs/node#60030)', () => {
    expect(patterns.filter(({ pattern }) => /\(\?[ims-]+:/.test(pattern.source)).map(({ file }) => file)).toEqual([]);
  });

  it('are excepted only as long as they are there and would be reported', () => {
    for (const exception of Object.keys(exceptions)) {
      const pattern = patterns.find((each) => String(each.pattern) === exception)?.pattern;
      expect(pattern && faultsOf(pattern), exception).not.toHaveLength(0);
    }
  });

  it('are made while a file is loaded, where this test sees them', () => {
    const counts = read.filter((each) => each.madeInFunctions > 0).map((each) => [each.file, each.madeInFunctions]);
    const known = Object.entries(madeInFunctions).map(([file, [count]]) => [file, count]);
    expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(known));
  });

  it.each([/(a+)+$/, /\s+$/, /^(?:[a-z]+ ?){1,3}x$/, /a.*b.*c/])('that do not are seen: %s', (pattern) => {
    expect(faultsOf(pattern)).not.toEqual([]);
  });
});
