import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, delimiter, dirname, join, matchesGlob, relative } from 'node:path';
import { cacheFolder } from '@mneme/downloads';

const root = join(import.meta.dirname, '../..');

/** What an image would hold, as a folder, and what it says about its process. */
export interface ImageTree {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly entryPoint: readonly string[];
  readonly user: string;
}

/** The machine that an image is for. */
export interface TargetMachine {
  /** As a build names it: `amd64`, `arm64`. */
  readonly arch: string;
  /** The program that is its node. */
  readonly node: string;
}

const thisMachine: TargetMachine = { arch: process.arch === 'x64' ? 'amd64' : process.arch, node: process.execPath };

interface Instruction {
  readonly name: string;
  readonly value: string;
}

interface Stage {
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/**
 * Makes the files of images from `deploy/Dockerfile` and `.dockerignore` without a container engine: carries out what is
 * copied, and what is run except the installation of system packages and a console that is built already. Of images that are not built here it takes the node
 * and the servers of this machine. All files are readable for all users and writable for none.
 */
export function makeImageTrees<Name extends string>(
  targets: readonly Name[],
  folder: string,
  machine = thisMachine,
): Record<Name, ImageTree> {
  const making: Making = { stages: readStages(), made: new Map(), folder, arch: machine.arch };
  const entries = targets.map((target) => {
    const stage = stageOf(target, making.stages);
    return [target, describeImage(stage, makeStage(stage, making))] as const;
  });
  for (const [, { folder: tree }] of entries) {
    placeServers(tree, machine);
    execFileSync('chmod', ['-R', 'a+rX,a-w', tree]);
  }
  chmodSync(folder, 0o755);
  return Object.fromEntries(entries) as Record<Name, ImageTree>;
}

function describeImage({ instructions }: Stage, tree: string): ImageTree {
  const last = (name: string) => instructions.findLast((instruction) => instruction.name === name)?.value;
  const set: Record<string, string> = Object.assign(
    {},
    ...instructions.filter(({ name }) => name === 'ENV').map(environmentOf),
  );
  return {
    folder: tree,
    environment: Object.fromEntries(Object.entries(set).map(([name, value]) => [name, insideOf(tree, value)])),
    command: JSON.parse(last('CMD') ?? '[]'),
    entryPoint: JSON.parse(last('ENTRYPOINT') ?? '[]'),
    user: last('USER') ?? 'root',
  };
}

function readStages(): readonly Stage[] {
  const lines = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').split('\n');
  const text = lines
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ');
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const [, name = '', value = ''] of text.matchAll(/^([A-Z]+)\s+(.*)$/gm)) {
    if (name === 'FROM') {
      const [from = '', , alias = ''] = value.split(/\s+/).filter((word) => !word.startsWith('--'));
      stages.push({ name: alias, from, instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, value });
  }
  return stages;
}

function stageOf(name: string, stages: readonly Stage[]): Stage {
  const stage = stages.find((candidate) => candidate.name === name);
  if (!stage) throw new Error(`deploy/Dockerfile has no stage ${name}.`);
  return stage;
}

/** `npm test` has built the console before; with `npm run test:faults` the stage of the image builds it. */
const builtConsole = join(root, 'packages/console/dist');
const isConsoleBuilt = process.env.MNEME_TEST_FAULTS !== 'full' && existsSync(builtConsole);

interface Making {
  readonly stages: readonly Stage[];
  /** Folders of the stages that are made already, by name. */
  readonly made: Map<string, string>;
  readonly folder: string;
  readonly arch: string;
}

function makeStage(stage: Stage, making: Making): string {
  const before = making.made.get(stage.name);
  if (before !== undefined) return before;
  const tree = join(making.folder, stage.name);
  mkdirSync(join(tree, 'app'), { recursive: true });
  making.made.set(stage.name, tree);
  const base = making.stages.find(({ name }) => name === stage.from);
  if (stage.name === 'console' && isConsoleBuilt) {
    cpSync(builtConsole, join(tree, 'app/packages/console/dist'), { recursive: true });
    return tree;
  }
  if (base) copy(makeStage(base, making), tree);
  for (const { name, value } of stage.instructions) {
    if (name === 'COPY') carryOutCopy(value, tree, making);
    if (name === 'RUN') carryOutRun(value, tree, making);
  }
  return tree;
}

function carryOutCopy(value: string, tree: string, making: Making): void {
  const words = value.split(/\s+/);
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  const [target = '', sources] = [paths.at(-1), paths.slice(0, -1)];
  const place = target.startsWith('/') ? join(tree, target) : join(tree, 'app', target);
  for (const source of sources) {
    if (from === undefined) copyFromContext(source, target.endsWith('/') ? join(place, basename(source)) : place);
    else if (isBuiltHere(from, making)) copy(join(makeStage(stageOf(from, making.stages), making), source), place);
  }
}

/** Others are images of servers and of node, see `placeServers`. */
function isBuiltHere(from: string, { stages }: Making): boolean {
  const builtOn = stages.find(({ name }) => name === from)?.from ?? '';
  return builtOn !== '' && !['nats', 'qdrant'].includes(from);
}

/**
 * As the engine does: a folder's content is copied into the target. Files that stages share are the same on disk, which is
 * quick; no stage writes into one of another.
 */
function copy(source: string, target: string): void {
  // A single file of a base image, such as node, is placed later.
  if (!existsSync(source)) return;
  const isFolder = statSync(source).isDirectory();
  mkdirSync(isFolder ? target : dirname(target), { recursive: true });
  execFileSync('cp', ['-al', '--remove-destination', isFolder ? `${source}/.` : source, target]);
}

function copyFromContext(source: string, target: string): void {
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const filter = (path: string) => isInContext(relative(root, path), rules);
  cpSync(join(root, source), target, { recursive: true, filter });
}

/** The last rule that matches a path or a folder above it counts. */
function isInContext(path: string, rules: readonly string[]): boolean {
  const parts = path.split('/');
  const above = parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
  const last = rules.findLast((rule) => above.some((each) => matchesGlob(each, rule.replace(/^!/, ''))));
  // `!deploy/image` also lets in the folder on the way to it.
  return last === undefined || last.startsWith('!') || rules.some((rule) => rule.startsWith(`!${path}/`));
}

const systemPackages = /^(apt-get|npm install --global)/;

function carryOutRun(value: string, tree: string, { arch }: Making): void {
  const command = value.replaceAll(/--mount=\S+\s+/g, '').trim();
  if (systemPackages.test(command)) return;
  mkdirSync(join(tree, 'models'), { recursive: true });
  const cache = join(tree, 'models/mneme');
  mkdirSync(cacheFolder(process.env, ''), { recursive: true });
  if (!existsSync(cache)) symlinkSync(cacheFolder(process.env, ''), cache);
  // The store of this machine instead of one that a build keeps.
  const local = insideOf(tree, command.replace('--store-dir /pnpm', '--prefer-offline'));
  const environment = { ...process.env, TARGETARCH: arch, CI: 'true', pnpm_config_verify_deps_before_run: 'false' };
  execFileSync('sh', ['-ec', local], { cwd: join(tree, 'app'), env: environment, stdio: 'pipe', timeout: 300_000 });
}

/** Absolute paths of the image as those of the folder. */
function insideOf(tree: string, text: string): string {
  return text.replaceAll(/(^|[\s=:])\/(app|models|var\/cache|usr\/local\/bin)(?=$|[/\s:])/g, `$1${tree}/$2`);
}

function environmentOf({ value }: Instruction): Record<string, string> {
  const pairs = value.matchAll(/(\w+)=("[^"]*"|\S+)/g);
  return Object.fromEntries([...pairs].map(([, name = '', quoted = '']) => [name, quoted.replaceAll('"', '')]));
}

function placeServers(tree: string, { node }: TargetMachine): void {
  const folder = join(tree, 'usr/local/bin');
  mkdirSync(folder, { recursive: true });
  copyFileSync(node, join(folder, 'node'));
  for (const name of ['nats-server', 'mongod', 'qdrant']) {
    const installed = findServer(name);
    if (installed !== undefined) copyFileSync(installed, join(folder, name));
  }
  execFileSync('sh', ['-c', `chmod a+x "${folder}"/*`]);
}

function findServer(name: string): string | undefined {
  const cache = cacheFolder(process.env, 'bin');
  const cached = existsSync(cache)
    ? readdirSync(cache).find((file) => new RegExp(`^${name}-[\\w.-]+(?<!\\.lock)$`).test(file))
    : undefined;
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  return [...onPath, ...(cached === undefined ? [] : [join(cache, cached)])].find((path) => existsSync(path));
}
