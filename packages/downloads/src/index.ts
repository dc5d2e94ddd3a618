export { digestOf, extractFiles, fetchFiles } from './download.ts';
export * from './errors.ts';
export { type FileLock, tryLock, waitForLock } from './file-lock.ts';
export { describeMachine, type Machine, thisMachine } from './machine.ts';
export { cacheFolder, messageOf, type PinnedFile, type PinnedPackage } from './pinned.ts';
export { createDownloadPrinter, type OnDownload } from './progress.ts';
export { createNpmRegistry, type Registry } from './registry.ts';
