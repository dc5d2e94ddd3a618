const extensions: ReadonlySet<string> = new Set(['txt', 'text', 'md', 'markdown', 'json', 'jsonl', 'ndjson', 'zip']);

/** Whether a file of a folder is read; a file that is named itself may have any name. */
export function isReadInFolders(name: string): boolean {
  return extensions.has(/\.([^./]*)$/.exec(name)?.[1]?.toLowerCase() ?? '');
}

/** Hidden files and folders are passed over. */
export function isHidden(name: string): boolean {
  return name.startsWith('.');
}
