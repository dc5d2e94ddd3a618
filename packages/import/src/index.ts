export { type FormatName, formatNames } from './formats/formats.ts';
export type { Fault, Found } from './found.ts';
export { importDocuments, type Summary } from './import-documents.ts';
export { readSource } from './read-source.ts';
export { type FileSource, isHidden, isReadInFolders } from './source.ts';
