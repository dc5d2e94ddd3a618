import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The smallest file that is worth compressing, in bytes. */
const minBytes = 1_024;

/** Writes each asset also as brotli and gzip, so that the gateway compresses nothing while it answers. */
function compressAssets(): Plugin {
  let folder = '';
  return {
    name: 'compress-assets',
    configResolved: ({ build, root }) => {
      folder = join(root, build.outDir, build.assetsDir);
    },
    closeBundle: () => {
      for (const name of readdirSync(folder)) {
        const bytes = readFileSync(join(folder, name));
        if (!/\.(js|css|svg)$/.test(name) || bytes.length < minBytes) continue;
        const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes));
      }
    },
  };
}

export default defineConfig({
  plugins: [react(), compressAssets()],
  // The gateway writes the nonce of each response in its place.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    // The policy allows no `data:` scripts and styles, and small files are cached like others.
    assetsInlineLimit: 0,
    // The policy would block its inline script.
    modulePreload: { polyfill: false },
    // A page whose own styles could not be loaded would be shown without them when it is loaded again.
    cssCodeSplit: false,
    target: 'es2023',
    reportCompressedSize: false,
  },
});
