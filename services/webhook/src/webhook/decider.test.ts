import type { WebhookEvent } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { it } from 'vitest';
import { newWebhook } from '../testing/webhook-events.ts';
import { type WebhookCommand, webhookDecider } from './decider.ts';

const webhook = newWebhook({ webhookId: 1, commandId: 'c1' });
const replay = { webhookId: 1, status: 'error', since: null, upTo: 9, calls: 2, commandId: 'c2' } as const;
const created: WebhookEvent = { type: 'WebhookCreated', data: webhook };
const deleted: WebhookEvent = { type: 'WebhookDeleted', data: { webhookId: 1, tokenHash: 'hash' } };
const requested: WebhookEvent = { type: 'ReplayRequested', data: replay };
const queued: WebhookEvent = { type: 'ReplayQueued', data: { webhookId: 1, replay: 10, calls: 2 } };

const create: WebhookCommand = { type: 'CreateWebhook', webhook };
const unchanged = { name: null, isActive: null, verification: null, deduplicate: null };
const change = (changed: object): WebhookCommand => ({ type: 'ChangeWebhook', change: { ...unchanged, ...changed } });
const requestReplay = { type: 'RequestReplay', replay, isReplacing: false } as const;
const queueReplay: WebhookCommand = { type: 'QueueReplay', replay: 10, deliveries: 2 };

const nothing = specify(webhookDecider);
const aWebhook = nothing.given([created]);

it('is created once, however often the command comes', () => {
  nothing.when(create).then([created]);
  aWebhook.when(create).then([]);
});

it('keeps the properties that a change leaves out', () => {
  const data = {
    webhookId: 1,
    tokenHash: 'hash',
    name: 'Orders',
    isActive: false,
    verification: webhook.verification,
    deduplicate: false,
  };
  aWebhook.when(change({ isActive: false })).then([{ type: 'WebhookChanged', data }]);
});

it('appends nothing when nothing changes, so retries are safe', () => {
  aWebhook.when(change({ name: 'Orders', isActive: true, verification: { ...webhook.verification } })).then([]);
  aWebhook.when(change({})).then([]);
});

it('is deleted for good', () => {
  aWebhook.when({ type: 'DeleteWebhook' }).then([deleted]);
  const commands = [create, change({}), { type: 'DeleteWebhook' }, requestReplay] as const;
  for (const command of commands) aWebhook.given([deleted]).when(command).thenRefuses('webhook-not-found');
  for (const command of commands.slice(1)) nothing.when(command).thenRefuses('webhook-not-found');
});

it('is replayed once for each command', () => {
  aWebhook.when(requestReplay).then([requested]);
  aWebhook.given([requested, queued]).when(requestReplay).then([]);
  const another = { ...replay, commandId: 'c3' };
  const anotherRequested = { type: 'ReplayRequested', data: another } as const;
  const request = { ...requestReplay, replay: another };
  aWebhook.given([requested, queued]).when(request).then([anotherRequested]);
  aWebhook.given([requested, queued, anotherRequested]).when(requestReplay).then([]);
});

it('has one replay at a time, unless another one replaces it', () => {
  const at = (sequence: number) => ({ position: { stream: 'WEBHOOKS', sequence } });
  const first = { ...requested, ...at(10) };
  const other = { ...replay, commandId: 'c3' };
  const second = { type: 'ReplayRequested', data: other } as const;
  const request = { ...requestReplay, replay: other };
  const replacing = { ...request, isReplacing: true };
  aWebhook.given([first]).when(request).thenRefuses('replay-under-way');
  aWebhook.given([first]).when(requestReplay).then([]);
  aWebhook.given([first]).when(replacing).then([second]);
  aWebhook.given([first, queued]).when(request).then([second]);
  // The first one, which the second has ended, reports late that it is queued.
  const third = { ...requestReplay, replay: { ...replay, commandId: 'c4' } };
  aWebhook
    .given([first, { ...second, ...at(12) }, queued])
    .when(third)
    .thenRefuses('replay-under-way');
  aWebhook
    .given([{ ...first, data: { ...replay, calls: 0 } }])
    .when(request)
    .then([second]);
});

it('reports once that a replay is queued', () => {
  aWebhook.given([requested]).when(queueReplay).then([queued]);
  aWebhook.given([requested, queued]).when(queueReplay).then([]);
});
