import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Node, parse } from 'acorn';
import { ancestor } from 'acorn-walk';
import { vi } from 'vitest';

/** A regular expression of the sources. */
export interface SourcePattern {
  /** From the root of the repository. */
  readonly file: string;
  readonly pattern: RegExp;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The source files below some folders that are part of a running service, from the root of the repository. */
export function sourceFiles(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .filter((file) => !/\.test\.ts$|\/testing\/|\/main\.ts$/.test(file))
    .sort();
}

/** The literals in a file, and how many expressions it makes within functions, which are not made when it is loaded. */
export function patternsIn(file: string): { literals: SourcePattern[]; madeInFunctions: number } {
  const source = stripTypeScriptTypes(readFileSync(root + file, 'utf8'));
  const tree = parse(source, { ecmaVersion: 'latest', sourceType: 'module' });
  const literals: SourcePattern[] = [];
  let madeInFunctions = 0;
  const make = (node: Node, parents: readonly Node[]) => {
    if (!isRegExpCall(node)) return;
    if (parents.some(({ type }) => type.includes('Function'))) madeInFunctions += 1;
  };
  ancestor(tree, {
    Literal: ({ regex }) => {
      if (regex) literals.push({ file, pattern: new RegExp(regex.pattern, regex.flags) });
    },
    NewExpression: (node, _, parents) => make(node, parents),
    CallExpression: (node, _, parents) => make(node, parents),
  });
  return { literals, madeInFunctions };
}

function isRegExpCall(node: Node): boolean {
  const callee = 'callee' in node ? (node.callee as Node & { name?: string }) : undefined;
  return callee?.type === 'Identifier' && callee.name === 'RegExp';
}

/** Loads files and gives the expressions that they make of texts while they are loaded. */
export async function patternsMadeBy(files: readonly string[]): Promise<SourcePattern[]> {
  const made: SourcePattern[] = [];
  // Test files before this one have loaded some of them.
  vi.resetModules();
  const native = globalThis.RegExp;
  const record = (pattern: RegExp) => {
    const file = callingFile();
    if (file !== undefined) made.push({ file, pattern });
    return pattern;
  };
  globalThis.RegExp = new Proxy(native, {
    construct: (target, args, newTarget) => record(Reflect.construct(target, args, newTarget)),
    apply: (target, self, args) => record(Reflect.apply(target, self, args)),
  });
  try {
    for (const file of files) await import(root + file);
  } finally {
    globalThis.RegExp = native;
  }
  return made;
}

/** Whose code has asked for an expression; undefined when it is none of this repository. */
function callingFile(): string | undefined {
  const frames = new Error().stack?.split('\n') ?? [];
  // Above it stand the proxy's own functions.
  const caller = frames.find((frame) => frame.includes('/') && !frame.includes('source-patterns'));
  if (caller === undefined || caller.includes('node_modules')) return undefined;
  const start = caller.indexOf(root);
  return start < 0 ? undefined : caller.slice(start + root.length).replace(/(?:\?.*)?:\d+:\d+\)?$/, '');
}
