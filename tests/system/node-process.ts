import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';

export interface NodeProcessOptions {
  /** The source file to run, from the root of the repository. */
  readonly entry: string;
  /** Another copy of the repository, to run what it holds; this one unless given. */
  readonly folder?: string;
  readonly parameters?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A Node process under test. */
export interface NodeProcess {
  readonly pid: number;
  /** What it has printed so far, on both streams. */
  output(): string;
  errors(): string;
  readonly exited: Promise<Exit>;
  /** Sends a signal and resolves when the process has ended. */
  kill(signal?: NodeJS.Signals): Promise<Exit>;
  /** Waits until it has printed something that matches. */
  printed(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
}

/** On a machine that also does other work a start may take many times as long as usual. */
export const startMs = 120_000;

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Ends the process when this one has gone, however it went: then no one holds the other end of its standard input. */
const endsWithParent = 'data:text/javascript,process.stdin.on("end",()=>process.exit(1)).resume().unref()';
/** Several processes share few cores: threads that compile and collect for one would take them from the others. */
const flags = ['--v8-pool-size=1'];
const ownVariables = ['PATH', 'HOME', 'XDG_CACHE_HOME', 'TMPDIR', 'npm_config_registry', 'NODE_COMPILE_CACHE'];

/** `npm test` has bundled this copy, so that hundreds of processes start in half the time; others run the source. */
function bundleOf(entry: string, folder: string): string {
  const bundles = process.env.MNEME_BUNDLES;
  const isBundled = bundles && folder === root && entry.endsWith('/src/main.ts');
  return isBundled ? join(bundles, entry.replace(/\.ts$/, '.mjs')) : entry;
}

/** Starts a Node process with the given environment and what a process needs in any case. */
export function startNode({ entry, folder = root, parameters = [], environment }: NodeProcessOptions): NodeProcess {
  const inherited = Object.fromEntries(ownVariables.map((name) => [name, process.env[name]]));
  const child = spawn(
    process.execPath,
    [...flags, '--import', endsWithParent, bundleOf(entry, folder), ...parameters],
    {
      cwd: folder,
      env: { ...inherited, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const output = collect(child);
  const exited = whenExited(child);
  return {
    pid: child.pid ?? 0,
    output: () => output.all,
    errors: () => output.errors,
    exited,
    kill: (signal = 'SIGKILL') => {
      child.kill(signal);
      return exited;
    },
    printed: (pattern, timeoutMs) => {
      const find = () => pattern.exec(output.all) ?? undefined;
      const ended = exited.then(({ code }) => {
        const found = find();
        if (found) return found;
        throw new Error(`${entry} ended with ${code} and had printed:\n${output.all}`);
      });
      return Promise.race([ended, eventually(`${entry} prints ${pattern}`, find, timeoutMs)]);
    },
  };
}

function collect(child: ChildProcess): { all: string; errors: string } {
  const output = { all: '', errors: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.all += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.all += text;
    output.errors += text;
  });
  child.stdin?.on('error', () => undefined);
  return output;
}

function whenExited(child: ChildProcess): Promise<Exit> {
  const { promise, resolve } = Promise.withResolvers<Exit>();
  child.once('close', (code, signal) => resolve({ code, signal }));
  return promise;
}
