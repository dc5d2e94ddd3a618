export { type FormatName, formatNames } from './formats/formats.ts';
export { type Fault, FileFault, type Found, type ImportedDocument } from './found.ts';
export { importDocuments, type Outcome, type Summary } from './import-documents.ts';
export { readSource } from './read-source.ts';
export { type FileSource, isHidden, isReadInFolders, type Source } from './source.ts';
