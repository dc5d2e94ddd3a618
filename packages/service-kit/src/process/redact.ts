/** What issued keys look like, also those that were mistyped, and JSON Web Tokens. */
const credentials = /sk-[\da-f]{16,}|(?<![\w-])eyJ[\w-]{4,}\.[\w-]+\.[\w-]*/gi;

/** Takes credentials out of a text that others get to read, wherever somebody has written them. */
export function withoutCredentials(text: string): string {
  return text.replace(credentials, '[redacted]');
}
