/** In bytes. File systems allow 255; the rest is room for the extension. */
const maxNameLength = 200;

/**
 * The value of `Content-Disposition` that makes a browser save a reply as a file (RFC 6266), with the name in ASCII and in
 * UTF-8. No name can lead to another folder, hide the file, or end the header.
 */
export function attachment(name: string, extension: string): string {
  const safe = truncate(name.toWellFormed().replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_'));
  const full = `${safe.replace(/^[.\s]+|[.\s]+$/g, '') || 'table'}.${extension}`;
  const ascii = full.replace(/[^\x20-\x7e]/g, '_').replaceAll('%', '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${percentEncoded(full)}`;
}

/** Truncates at a character boundary. */
function truncate(name: string): string {
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
