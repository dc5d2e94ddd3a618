import { type DestinationStream, pino } from 'pino';
import { withoutCredentials } from './redact.ts';

export type Logger = pino.Logger;

const secretHeaders = ['authorization', '["x-api-key"]', 'cookie', '["set-cookie"]'];
const redactedPaths = secretHeaders.flatMap((name) => {
  const member = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${member}`, `headers${member}`, `req.headers${member}`, `res.headers${member}`];
});

/**
 * Makes a logger that writes one JSON object per line and never a credential.
 * @param options.level a level of pino, or `silent`
 * @param options.destination where to write; standard output unless given
 */
export function createLogger(options: { service: string; level?: string; destination?: DestinationStream }): Logger {
  const settings = {
    level: options.level ?? 'info',
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redactedPaths, censor: '[redacted]' },
    // A key may stand in a message or a stack too, such as that of a request which named it where a name belongs.
    hooks: { streamWrite: withoutCredentials },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}
