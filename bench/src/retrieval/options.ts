import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Configuration, configurationsOf } from './configuration.ts';
import { halves, type Selection } from './questions.ts';
import type { RequestFields } from './search.ts';

const builtInSets = ['plain', 'notes'] as const;
export type BuiltInSet = (typeof builtInSets)[number];

/** What the command was asked for. */
export interface Options {
  /** Absolute. */
  readonly folders: readonly string[];
  /** Those of the built-in sets that are measured. */
  readonly builtIn: ReadonlySet<BuiltInSet>;
  readonly configurations: readonly Configuration[];
  readonly selection: Selection;
  readonly fields: RequestFields;
  readonly out: string | undefined;
  readonly dump: string | undefined;
  /** Where the data of the systems stay; absolute. */
  readonly keep: string | undefined;
  readonly json: boolean;
}

/**
 * @param parameters the command line behind the benchmark's name
 * @param from where relative paths start
 * @throws Error when a parameter has another form, or a given system is to have settings
 */
export function readOptions(parameters: readonly string[], from: string, givenUrl: string | undefined): Options {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    options: {
      model: { type: 'string', multiple: true, default: [] },
      set: { type: 'string', multiple: true, default: [] },
      field: { type: 'string', multiple: true, default: [] },
      half: { type: 'string' },
      'limit-questions': { type: 'string' },
      out: { type: 'string' },
      dump: { type: 'string' },
      keep: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  if (givenUrl && values.model.length + values.set.length > 0) {
    throw new Error('With MNEME_URL the system is given: leave out --model and --set');
  }
  if (givenUrl && values.keep !== undefined)
    throw new Error('With MNEME_URL the system keeps its data: leave out --keep');
  return {
    folders: positionals.filter((name) => !builtInSets.some((set) => set === name)).map((name) => resolve(from, name)),
    builtIn: new Set(builtInSets.filter((set) => positionals.length === 0 || positionals.includes(set))),
    configurations: configurationsOf(values.model, values.set),
    selection: { half: halfNamed(values.half), limit: wholeNumber(values['limit-questions']) },
    fields: Object.fromEntries(values.field.map(parseField)),
    out: values.out === undefined ? undefined : resolve(from, values.out),
    dump: values.dump === undefined ? undefined : resolve(from, values.dump),
    keep: values.keep === undefined ? undefined : resolve(from, values.keep),
    json: values.json,
  };
}

function halfNamed(name: string | undefined): Selection['half'] {
  const half = halves.find((each) => each === name);
  if (name !== undefined && !half) throw new Error(`--half is one of ${halves.join(', ')}, not ${name}`);
  return half;
}

function wholeNumber(text: string | undefined): number | undefined {
  if (text !== undefined && !/^[1-9]\d{0,6}$/.test(text)) throw new Error(`--limit-questions is a number, not ${text}`);
  return text === undefined ? undefined : Number(text);
}

function parseField(field: string): [string, unknown] {
  const [, name, value] = /^(\w+)=(.+)$/s.exec(field) ?? [];
  if (!name || !value) throw new Error(`--field is name=<JSON>, not ${field}`);
  return [name, JSON.parse(value)];
}
