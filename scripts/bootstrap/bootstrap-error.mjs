import { cache } from './places.mjs';

/** Something that the user can put right; its message is all that is shown. */
export class BootstrapError extends Error {}

const unwritable = new Set(['EACCES', 'EDQUOT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS']);

/** Whether a file or a folder could not be written. */
export function isUnwritable({ code, syscall = '' }) {
  return unwritable.has(code) && !syscall.startsWith('spawn');
}

/** Prints what the user can put right, and sets the exit code. @throws what else has failed */
export function report(error) {
  if (!(error instanceof BootstrapError) && !isUnwritable(error)) throw error;
  console.error(`\n${isUnwritable(error) ? adviceFor(error) : error.message}`);
  process.exitCode = 1;
}

/** The message of an error of the file system names the path. */
function adviceFor({ message }) {
  return (
    `Mneme cannot write what it downloads, installs and builds: ${message}. It needs to write to the folder of the ` +
    `repository and to ${cache}; XDG_CACHE_HOME puts the latter elsewhere.`
  );
}
