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
const requestReplay: WebhookCommand = { type: 'RequestReplay', replay };
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
  aWebhook.given([requested]).when({ type: 'RequestReplay', replay: another }).then([anotherRequested]);
  aWebhook.given([requested, anotherRequested]).when(requestReplay).then([]);
});

it('reports once that a replay is queued', () => {
  aWebhook.given([requested]).when(queueReplay).then([queued]);
  aWebhook.given([requested, queued]).when(queueReplay).then([]);
});
