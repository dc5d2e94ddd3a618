import { specify } from '@mneme/event-store/testing';
import { it } from 'vitest';
import { deliveriesDecider } from './decider.ts';

const replayed = (callId: number, replay: number | null) =>
  ({ type: 'CallReplayed', data: { webhookId: 7, callId, replay } }) as const;

it('are replayed in the order of their ids, each by an event of its own', () => {
  const command = { type: 'ReplayDeliveries', webhookId: 7, deliveryIds: [3, 5], replay: 9 } as const;
  specify(deliveriesDecider)
    .when(command)
    .then([replayed(3, 9), replayed(5, 9)]);
});

it('are replayed again after an earlier replay', () => {
  const command = { type: 'ReplayDeliveries', webhookId: 7, deliveryIds: [3], replay: null } as const;
  specify(deliveriesDecider)
    .given([replayed(3, null)])
    .when(command)
    .then([replayed(3, null)]);
});
