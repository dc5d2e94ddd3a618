export { FileFault } from './file-fault.ts';
export { isHidden, isReadInFolders } from './folder-files.ts';
export { type FormatName, formatNames } from './formats/formats.ts';
export type { Fault, Found, ImportedDocument } from './found.ts';
export { importDocuments, type Outcome, type Summary } from './import-documents.ts';
export { readSource } from './read-source.ts';
export type { FileSource, Source } from './source.ts';
