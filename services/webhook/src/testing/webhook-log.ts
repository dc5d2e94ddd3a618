import { webhookEvents, webhookStream } from '@mneme/contracts';
import { connectEventStore, ensureStream } from '@mneme/event-store';
import { startTestStack } from '@mneme/local-stack/testing';
import { useFixture } from '@mneme/read-models/testing';
import { closeNats, connectNats, createLogger } from '@mneme/service-kit';

/** A connection to a real server that has the log of webhooks, and a store on it, for all tests of a file. */
export const useWebhookLog = () =>
  useFixture(async () => {
    const stack = await startTestStack({ servers: ['nats'] });
    const logger = createLogger({ service: 'test', level: 'silent' });
    const connection = await connectNats({ url: stack.natsUrl, name: 'test', logger });
    await ensureStream(connection, { ...webhookStream, replicas: 1 });
    const store = connectEventStore({ connection, stream: webhookStream.name, catalog: webhookEvents, source: 'test' });
    const stop = async () => {
      await closeNats(connection);
      await stack.stop();
    };
    return { connection, store, stop };
  });
