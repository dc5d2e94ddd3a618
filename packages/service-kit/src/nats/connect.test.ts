import { describe, expect, it } from 'vitest';
import { createLogger } from '../process/logger.ts';
import { connectNats } from './connect.ts';

describe('connecting to NATS', () => {
  it('gives up after the start timeout with one sentence that hides the password', async () => {
    const url = 'nats://user:secret@127.0.0.1:1, user:secret@127.0.0.1:2';
    const logger = createLogger({ service: 'test', level: 'silent' });
    const error: Error = await connectNats({ url, name: 'test', logger, startTimeoutMs: 50 }).catch((caught) => caught);
    expect(error.name).toBe('NatsUnreachableError');
    expect(error.message).toContain('127.0.0.1:1');
    expect(error.message).not.toContain('secret');
  });
});
