// Makes one file of each service, and of the command line, with what it imports: node scripts/bundle-services.mjs <folder>
// Most of the time that a start takes is spent on finding and loading two thousand modules.
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const [folder] = process.argv.slice(2);
const entries = [...globSync('services/*/src/main.ts', { cwd: root }), 'packages/cli/src/main.ts'];
/** Look for files beside themselves, or are rarely loaded and large. They stay where they are. */
const notBundled =
  /^(piscina|pino|thread-stream|onnxruntime-node|testcontainers|langchain|@langchain\/.*|@opentelemetry\/(sdk|exporter|otlp).*)(\/|$)/;

/** Leaves those packages out; they are loaded from where the importing module finds them. */
const leaveOut = {
  name: 'leave-out',
  async resolveId(specifier, importer, options) {
    if (!importer || !notBundled.test(specifier)) return null;
    const found = await this.resolve(specifier, importer, { ...options, skipSelf: true });
    return { id: found && existsSync(found.id) ? pathToFileURL(found.id).href : specifier, external: true };
  },
};

/**
 * Modules see the place of their source, for the files beside it. A module that is named by its URL, to be run in a thread or
 * a process, is bundled too, and is named by the place of its bundle.
 */
const places = {
  name: 'places',
  transform(code, id) {
    if (!code.includes('import.meta')) return null;
    const source = { url: pathToFileURL(id).href, dirname: dirname(id), filename: id };
    return code
      .replaceAll(/\bnew URL\((?:'([^']+\.ts)', )?import\.meta\.url\)/g, (_, file) => {
        const chunk = this.emitFile({ type: 'chunk', id: file ? join(dirname(id), file) : id });
        return `new URL(import.meta.ROLLUP_FILE_URL_${chunk})`;
      })
      .replaceAll(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, name) => JSON.stringify(source[name]));
  },
};

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((entry) => [entry.slice(0, -'.ts'.length), join(root, entry)])),
  platform: 'node',
  logLevel: 'warn',
  // Places are replaced within their line, so that lines stay right.
  onLog: (level, log, handle) => log.code === 'SOURCEMAP_BROKEN' || handle(level, log),
  // Optional parts of libraries that are not installed.
  checks: { unresolvedImport: false },
  plugins: [leaveOut, places],
});
await bundle.write({
  dir: folder,
  format: 'esm',
  // Read with NODE_OPTIONS=--enable-source-maps only, since that takes as long as the bundle saves.
  sourcemap: true,
  entryFileNames: '[name].mjs',
  chunkFileNames: 'chunks/[name]-[hash].mjs',
});
