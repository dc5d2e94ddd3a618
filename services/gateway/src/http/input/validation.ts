import { integerMessage, type ValidationError } from '@mneme/contracts';
import type { z } from 'zod';

/** How many faults an answer lists. */
export const maxFaults = 100;

export type Location = 'body' | 'query' | 'path';

/** The shape of a request is wrong: 422. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';
  readonly detail: readonly ValidationError[];

  constructor(detail: readonly ValidationError[]) {
    super('The request is not valid');
    this.detail = detail;
  }
}

type Issue = z.core.$ZodIssue;
type Fault = Pick<ValidationError, 'msg' | 'type'>;

/** Describes the first 100 issues of zod in the format of FastAPI. `input` is what was parsed. */
export function describeIssues(location: Location, issues: readonly Issue[], input: unknown): ValidationError[] {
  return withoutConsequences(issues.slice(0, maxFaults)).map((issue) => {
    const value = valueAt(input, issue.path);
    const loc = [location, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))];
    // No schema of a query has a list; a parameter that was sent several times is parsed to one.
    if (location === 'query' && Array.isArray(value)) return { loc, ...repeated };
    return { loc, ...(value === undefined ? missing : describe(issue, value)) };
  });
}

/** A value of the wrong type has no other fault: zod would also report a text as too long where it expects a list. */
function withoutConsequences(issues: readonly Issue[]): readonly Issue[] {
  const nameOf = ({ path }: Issue) => JSON.stringify(path.map(String));
  const mistyped = new Set(issues.filter(({ code }) => code === 'invalid_type').map(nameOf));
  return issues.filter((issue) => issue.code === 'invalid_type' || !mistyped.has(nameOf(issue)));
}

const missing: Fault = { msg: 'Field required', type: 'missing' };

const repeated: Fault = { msg: 'The parameter was sent more than once; send it once', type: 'string_type' };

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function describe(issue: Issue, value: unknown): Fault {
  switch (issue.code) {
    case 'custom':
      return { msg: issue.message, type: String(issue.params?.type ?? 'value_error') };
    case 'invalid_type':
      return describeType(issue.message === integerMessage ? 'int' : issue.expected, value);
    case 'invalid_value':
      return { msg: `Input should be ${alternatives(issue.values)}`, type: 'enum' };
    case 'too_small':
    case 'too_big':
      return describeBound(issue, value);
    case 'invalid_format':
      return { msg: issue.message, type: 'string_pattern_mismatch' };
    default:
      return { msg: issue.message, type: 'value_error' };
  }
}

function describeType(expected: string, value: unknown): Fault {
  if ((expected === 'int' || expected === 'number') && typeof value === 'number') return describeNumber(value);
  const [type, noun] = typeFaults[expected] ?? ['value_error', expected];
  return { msg: `Input should be a valid ${noun}`, type };
}

/** JSON cannot express infinity, but its parser reads 1e400 as that. */
function describeNumber(value: number): Fault {
  return Number.isFinite(value)
    ? { msg: 'Input should be a valid integer, got a number with a fractional part', type: 'int_from_float' }
    : { msg: 'Input should be a finite number, got one that is too large', type: 'finite_number' };
}

const typeFaults: Readonly<Record<string, readonly [type: string, noun: string]>> = {
  string: ['string_type', 'string'],
  number: ['float_type', 'number'],
  int: ['int_type', 'integer'],
  boolean: ['bool_type', 'boolean'],
  array: ['list_type', 'list'],
  record: ['dict_type', 'dictionary'],
  object: ['model_attributes_type', 'dictionary or object to extract fields from'],
};

function describeBound(issue: Issue & { code: 'too_small' | 'too_big' }, value: unknown): Fault {
  const isLower = issue.code === 'too_small';
  const bound = isLower ? issue.minimum : issue.maximum;
  const side = isLower ? 'at least' : 'at most';
  if (Array.isArray(value)) {
    const msg = `List should have ${side} ${bound} items after validation, not ${value.length}`;
    return { msg, type: isLower ? 'too_short' : 'too_long' };
  }
  if (issue.origin === 'string') {
    return { msg: `String should have ${side} ${bound} characters`, type: `string_too_${isLower ? 'short' : 'long'}` };
  }
  const comparison = isLower ? 'greater than' : 'less than';
  const orEqual = issue.inclusive === false ? '' : ' or equal to';
  const type = comparison.replace(' ', '_') + (orEqual && '_equal');
  return { msg: `Input should be ${comparison}${orEqual} ${bound}`, type };
}

function alternatives(values: readonly unknown[]): string {
  const quoted = values.map((value) => `'${String(value)}'`);
  const last = quoted.pop();
  return quoted.length === 0 ? String(last) : `${quoted.join(', ')} or ${last}`;
}
