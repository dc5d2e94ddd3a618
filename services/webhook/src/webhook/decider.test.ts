import type { WebhookEvent, WebhookEventOf } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { type WebhookCommand, webhookDecider } from './decider.ts';

const verification = { type: 'none', sealedSecret: null } as const;
const webhook: WebhookEventOf<'WebhookCreated'>['data'] = {
  ...{ webhookId: 1, projectId: 2, tableId: 3, name: 'Orders', deduplicate: false, verification },
  ...{ tokenHash: 'hash', tokenPrefix: 'abcdefgh', sealedToken: 'sealed', createdBy: 4, createdAt: null },
  ...{ isActive: true, commandId: 'c1' },
};
const created: WebhookEvent = { type: 'WebhookCreated', data: webhook };
const deleted: WebhookEvent = { type: 'WebhookDeleted', data: { webhookId: 1, tokenHash: 'hash' } };
const keep = { name: null, isActive: null, verification: null, deduplicate: null };
const replay = { webhookId: 1, status: 'error', since: null, upTo: 9, calls: 2, commandId: 'c2' } as const;

function decide(history: WebhookEvent[], command: WebhookCommand): readonly WebhookEvent[] {
  return webhookDecider.decide(command, history.reduce(webhookDecider.evolve, webhookDecider.initialState));
}

describe('a webhook', () => {
  it('is created once, however often the command comes', () => {
    expect(decide([], { type: 'CreateWebhook', webhook })).toEqual([created]);
    expect(decide([created], { type: 'CreateWebhook', webhook })).toEqual([]);
  });

  it('keeps what a change does not name, and a change of nothing is none', () => {
    const change = (wanted: object) => decide([created], { type: 'ChangeWebhook', change: { ...keep, ...wanted } });
    const unchanged = {
      webhookId: 1,
      tokenHash: 'hash',
      name: 'Orders',
      isActive: true,
      verification,
      deduplicate: false,
    };
    expect(change({ isActive: false })).toEqual([{ type: 'WebhookChanged', data: { ...unchanged, isActive: false } }]);
    expect(change({ name: 'Orders', isActive: true })).toEqual([]);
    expect(change({})).toEqual([]);
  });

  it('is gone when it was deleted, for every command', () => {
    const commands: WebhookCommand[] = [
      { type: 'CreateWebhook', webhook },
      { type: 'ChangeWebhook', change: keep },
      { type: 'DeleteWebhook' },
      { type: 'RequestReplay', replay },
    ];
    expect(decide([created], { type: 'DeleteWebhook' })).toEqual([deleted]);
    for (const command of commands) expect(() => decide([created, deleted], command)).toThrow('Webhook not found');
    for (const command of commands.slice(1)) expect(() => decide([], command)).toThrow('Webhook not found');
  });

  it('is replayed once for each command', () => {
    const requested: WebhookEvent = { type: 'ReplayRequested', data: replay };
    const queued: WebhookEvent = { type: 'ReplayQueued', data: { webhookId: 1, replay: 10, calls: 2 } };
    expect(decide([created], { type: 'RequestReplay', replay })).toEqual([requested]);
    expect(decide([created, requested, queued], { type: 'RequestReplay', replay })).toEqual([]);
    const queue: WebhookCommand = { type: 'QueueReplay', replay: 10, calls: 2 };
    expect(decide([created, requested], queue)).toEqual([queued]);
    expect(decide([created, requested, queued], queue)).toEqual([]);
    const again = { ...replay, commandId: 'c3' };
    expect(decide([created, requested], { type: 'RequestReplay', replay: again })).toHaveLength(1);
  });
});
