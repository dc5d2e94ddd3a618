import type { WebhookEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { expect, it } from 'vitest';
import { WorkFinder } from './find-work.ts';

const webhook = { _id: 7, tableId: 3, deduplicate: true, isDeleted: false };
const changeable = { name: 'Orders', verification: { type: 'none', sealedSecret: null } } as const;
const changed = (deduplicate: boolean): WebhookEvent => ({
  type: 'WebhookChanged',
  data: { webhookId: 7, tokenHash: 'h', isActive: true, deduplicate, ...changeable },
});
const deleted: WebhookEvent = { type: 'WebhookDeleted', data: { webhookId: 7, tokenHash: 'h' } };
const received: WebhookEvent = { type: 'CallReceived', data: new TextEncoder().encode('{}') };

const hourMs = 3_600_000;
let sequence = 0;
/** As it is read from the log; every event an hour after the previous one unless given. */
function recorded(event: WebhookEvent, deliveryid?: string, hours?: number): Recorded<WebhookEvent> {
  sequence += 1;
  const kind = event.type === 'CallReceived' ? 'call' : 'webhook';
  const time = new Date((hours ?? sequence) * hourMs).toISOString();
  const attributes = deliveryid ? { deliveryid } : {};
  const place = { subject: `webhooks.${kind}.7`, position: { stream: 'WEBHOOKS', sequence }, time, attributes };
  return { ...event, ...place } as Recorded<WebhookEvent>;
}

function find(events: readonly Recorded<WebhookEvent>[], known = [webhook], seen = new Map<string, Date>()) {
  const finder = new WorkFinder(new Map(known.map((each) => [each._id, each])), seen);
  for (const event of events) finder.apply(event);
  return finder;
}
const found = (finder: WorkFinder) => finder.work.map((work) => work.sequence);

it("a sender's delivery id counts once within 24 hours of the log, across batches", () => {
  const [first, again, late] = [0, 23, 25].map((hours) => recorded(received, 'd', hours));
  if (!first || !again || !late) throw new Error('There are no events');
  const finder = find([first, again]);
  expect(found(finder)).toEqual([first.position.sequence]);
  const remembered = new Map([...finder.senderDeliveries.added.values()].map(({ _id, at }) => [_id, at]));
  expect(found(find([again, late], [webhook], remembered))).toEqual([late.position.sequence]);
});

it('whether it counts depends on the webhook when the delivery came', () => {
  const [one, two, off, three] = [received, received, changed(false), received].map((each) => recorded(each, 'd', 1));
  if (!one || !two || !off || !three) throw new Error('There are no events');
  expect(found(find([one, two, off, three]))).toEqual([one.position.sequence, three.position.sequence]);
});

it('deliveries after the deletion are late, and unprocessed ones before it are dropped', () => {
  const events = [received, deleted, received].map((each) => recorded(each));
  const finder = find(events);
  expect([found(finder), finder.late]).toEqual([[], [events[2]?.position.sequence]]);
  expect(finder.changed.get(7)).toMatchObject({ isDeleted: true });
  const ended = [...finder.changed.values()] as (typeof webhook)[];
  expect(find([recorded(received)], ended).late).toHaveLength(1);
});

it('deliveries of a webhook without a table, or of an unknown one, are not processed', () => {
  const alone = { ...webhook, tableId: null } as unknown as typeof webhook;
  expect(found(find([recorded(received)], [alone]))).toEqual([]);
  const unknown = find([recorded(received)], []);
  expect([found(unknown), unknown.late]).toEqual([[], []]);
});
