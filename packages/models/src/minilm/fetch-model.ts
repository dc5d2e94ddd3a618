import { createDownloadPrinter } from '@mneme/downloads';
import { ModelError } from '../model-error.ts';
import { findModel } from './find-model.ts';

// Makes the embedding model available before anything needs it: `node src/minilm/fetch-model.ts`.
try {
  await findModel({ source: process.env.MNEME_MINILM || undefined, onDownload: createDownloadPrinter(process.stderr) });
} catch (error) {
  if (!(error instanceof ModelError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
