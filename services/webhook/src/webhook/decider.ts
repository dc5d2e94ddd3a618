import { isDeepStrictEqual } from 'node:util';
import type { WebhookEvent, WebhookEventOf } from '@mneme/contracts';
import type { Decider, EventRecord } from '@mneme/event-store';
import { DomainError } from '../errors.ts';

type Created = WebhookEventOf<'WebhookCreated'>['data'];
type Changeable = Pick<Created, 'name' | 'isActive' | 'verification' | 'deduplicate'>;

/** A webhook as it is now; undefined before it is created. */
export type Webhook =
  | (Changeable & {
      readonly webhookId: number;
      readonly tokenHash: string;
      readonly isDeleted: boolean;
      /** The commands of the newest replays, the newest last. */
      readonly replayCommandIds: readonly string[];
      /** The newest replay whose deliveries are all queued. */
      readonly queuedReplay: number | undefined;
      /** The newest replay, until all its deliveries are queued; undefined also for one of no deliveries. */
      readonly openReplay: { readonly id: number | undefined } | undefined;
    })
  | undefined;

/** How many commands of replays are remembered, so that a repeated one is not carried out again. */
const maxReplayCommands = 100;

export interface CreateWebhook {
  readonly type: 'CreateWebhook';
  readonly webhook: Created;
}

/** A property that is null stays as it is. */
export interface ChangeWebhook {
  readonly type: 'ChangeWebhook';
  readonly change: { readonly [K in keyof Changeable]: Changeable[K] | null };
}

export interface DeleteWebhook {
  readonly type: 'DeleteWebhook';
}

export interface RequestReplay {
  readonly type: 'RequestReplay';
  readonly replay: WebhookEventOf<'ReplayRequested'>['data'];
  /** Whether it may end an earlier one that is under way. */
  readonly isReplacing: boolean;
}

/** Reports that all deliveries of a replay are queued. */
export interface QueueReplay {
  readonly type: 'QueueReplay';
  readonly replay: number;
  readonly deliveries: number;
}

export type WebhookCommand = CreateWebhook | ChangeWebhook | DeleteWebhook | RequestReplay | QueueReplay;

export const webhookDecider: Decider<Webhook, WebhookCommand, WebhookEvent> = {
  initialState: undefined,
  decide: (command, webhook) => {
    if (command.type === 'CreateWebhook') return create(command, webhook);
    if (!webhook || webhook.isDeleted) throw new DomainError('webhook-not-found');
    if (command.type === 'ChangeWebhook') return change(command, webhook);
    if (command.type === 'RequestReplay') return requestReplay(command, webhook);
    if (command.type === 'QueueReplay') return queueReplay(command, webhook);
    const { webhookId, tokenHash } = webhook;
    return [{ type: 'WebhookDeleted', data: { webhookId, tokenHash } }];
  },
  evolve,
};

/** About how many bytes a webhook takes in memory. */
export function sizeOfWebhook(webhook: Webhook): number {
  return 500 + 2 * JSON.stringify(webhook ?? null).length;
}

/** A repeated command creates nothing. */
function create({ webhook }: CreateWebhook, before: Webhook): WebhookEvent[] {
  if (before?.isDeleted) throw new DomainError('webhook-not-found');
  return before ? [] : [{ type: 'WebhookCreated', data: webhook }];
}

function change({ change: wanted }: ChangeWebhook, webhook: NonNullable<Webhook>): WebhookEvent[] {
  const { webhookId, tokenHash } = webhook;
  const changed = {
    name: wanted.name ?? webhook.name,
    isActive: wanted.isActive ?? webhook.isActive,
    verification: wanted.verification ?? webhook.verification,
    deduplicate: wanted.deduplicate ?? webhook.deduplicate,
  };
  const keys = ['name', 'isActive', 'verification', 'deduplicate'] as const;
  if (keys.every((key) => isDeepStrictEqual(changed[key], webhook[key]))) return [];
  return [{ type: 'WebhookChanged', data: { webhookId, tokenHash, ...changed } }];
}

/** A repeated command requests nothing. Of two replays of a webhook, the newer one ends the other. */
function requestReplay({ replay, isReplacing }: RequestReplay, webhook: NonNullable<Webhook>): WebhookEvent[] {
  if (webhook.replayCommandIds.includes(replay.commandId)) return [];
  if (webhook.openReplay && !isReplacing) throw new DomainError('replay-under-way');
  return [{ type: 'ReplayRequested', data: replay }];
}

function queueReplay({ replay, deliveries }: QueueReplay, webhook: NonNullable<Webhook>): WebhookEvent[] {
  const { webhookId, queuedReplay = 0 } = webhook;
  return queuedReplay >= replay ? [] : [{ type: 'ReplayQueued', data: { webhookId, replay, calls: deliveries } }];
}

/** An older replay may report that it is queued after a newer one has ended it. */
function openAfter(
  open: NonNullable<Webhook>['openReplay'],
  { replay }: WebhookEventOf<'ReplayQueued'>['data'],
): NonNullable<Webhook>['openReplay'] {
  return (open?.id ?? replay) > replay ? open : undefined;
}

function evolve(webhook: Webhook, event: WebhookEvent & Partial<EventRecord>): Webhook {
  if (event.type === 'WebhookCreated') {
    const { webhookId, tokenHash, name, isActive, verification, deduplicate } = event.data;
    const created = { webhookId, tokenHash, name, isActive, verification, deduplicate };
    return { ...created, isDeleted: false, replayCommandIds: [], queuedReplay: undefined, openReplay: undefined };
  }
  if (!webhook) throw new Error(`${event.type} before the webhook was created`);
  switch (event.type) {
    case 'WebhookChanged':
      return { ...webhook, ...event.data };
    case 'WebhookDeleted':
      return { ...webhook, isDeleted: true };
    case 'ReplayRequested':
      return {
        ...webhook,
        replayCommandIds: [...webhook.replayCommandIds, event.data.commandId].slice(-maxReplayCommands),
        openReplay: event.data.calls > 0 ? { id: event.position?.sequence } : undefined,
      };
    case 'ReplayQueued':
      return { ...webhook, queuedReplay: event.data.replay, openReplay: openAfter(webhook.openReplay, event.data) };
    default:
      throw new Error(`${event.type} does not belong to a webhook`);
  }
}
