import type { Delivery } from '@mneme/client';
import { StateBadge } from '../../../components/state-badge.tsx';
import { en } from '../../../text/en.ts';

const tones = { received: 'neutral', processed: 'good', error: 'bad' } as const;

export function DeliveryStatus({ status }: Pick<Delivery, 'status'>) {
  return <StateBadge tone={tones[status]}>{en.webhooks.deliveries.statuses[status]}</StateBadge>;
}
