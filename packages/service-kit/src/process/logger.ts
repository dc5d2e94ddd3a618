import { type DestinationStream, pino } from 'pino';
import { describeError } from './describe-error.ts';
import { createLogStream } from './log-stream.ts';

export type Logger = pino.Logger;

const secretHeaders = ['authorization', '["x-api-key"]', 'cookie', '["set-cookie"]'];
const redactedPaths = secretHeaders.flatMap((name) => {
  const member = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${member}`, `headers${member}`, `req.headers${member}`, `res.headers${member}`];
});

/**
 * Makes a logger that writes one JSON object per line and never a credential.
 * @param options.service unless given, children of the logger name theirs: a name that is given twice stands twice in a line
 * @param options.level a level of pino, or `silent`
 * @param options.destination where to write; standard output unless given
 */
export function createLogger(options: { service?: string; level?: string; destination?: DestinationStream }): Logger {
  const settings = {
    level: options.level ?? 'info',
    base: options.service === undefined ? null : { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    redact: { paths: redactedPaths, censor: '[redacted]' },
    // A message or a stack may contain a key too, when a caller sent one in place of a name.
    hooks: { streamWrite: withoutOthersWords },
  };
  return pino(settings, options.destination ?? createLogStream());
}

/** What a model server said, which may repeat a text of a user, up to the end of a JSON string. */
const saidByServer = / The server said: (?:[^"\\]|\\.)*/g;

function withoutOthersWords(line: string): string {
  return withoutCredentials(line).replace(saidByServer, '');
}

/** Matches issued keys, also mistyped ones, and JSON Web Tokens. */
const credentials = /sk-[\da-f]{16,}|(?<![\w-])eyJ[\w-]{4,}\.[\w-]+\.[\w-]*/gi;

/** Replaces the credentials in a text that goes to logs or to callers by `[redacted]`. */
export function withoutCredentials(text: string): string {
  return text.replace(credentials, '[redacted]');
}
