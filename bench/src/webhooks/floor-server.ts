// The least that receives deliveries durably: one Express route that publishes the body to JetStream and answers with the ack.
import type { AddressInfo } from 'node:net';
import { ensureStream } from '@mneme/event-store';
import { natsAddress } from '@mneme/service-kit';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import express from 'express';

const connection = await connect(natsAddress(process.env.NATS_URL ?? ''));
await ensureStream(connection, { name: 'BENCH_DELIVERIES', subjects: ['bench.deliveries'], replicas: 1 });
const js = jetstream(connection);
const app = express();
app.post('/floor', express.raw({ type: () => true, limit: '1mb' }), async (request, response) => {
  await js.publish('bench.deliveries', request.body as Buffer);
  response.json({ message: 'Webhook received' });
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
// The channel ends with the process that started this one, however that ends.
process.once('disconnect', () => process.exit(0));
