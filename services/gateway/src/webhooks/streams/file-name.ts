/** No file system takes a longer name, in bytes; some room is left for the extension. */
const maxNameLength = 200;

/**
 * The header that makes a browser keep an answer as a file (RFC 6266): once in ASCII for all, once as it is. Nothing in
 * the name leads to another folder, hides the file, or ends the header.
 */
export function attachment(name: string, extension: string): string {
  const safe = cut(name.toWellFormed().replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_'));
  const full = `${safe.replace(/^[.\s]+|[.\s]+$/g, '') || 'table'}.${extension}`;
  const ascii = full.replace(/[^\x20-\x7e]/g, '_').replaceAll('%', '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${percentEncoded(full)}`;
}

/** At most so many bytes, and no half character. */
function cut(name: string): string {
  let bytes = 0;
  let kept = '';
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxNameLength) break;
    kept += character;
  }
  return kept;
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
