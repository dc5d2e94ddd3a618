import type { DeliveryReply } from '@mneme/contracts';
import type { Person } from '../system/person.ts';
import { tokenOf } from '../system/tokens.ts';

/** A server-sent event. */
export interface DeliveryEvent {
  readonly id: string;
  readonly delivery: DeliveryReply;
}

/** A live stream of the deliveries of a webhook. */
export interface DeliveryEvents {
  readonly contentType: string | null;
  /** Waits for that many more events. */
  take(count: number): Promise<readonly DeliveryEvent[]>;
  close(): Promise<void>;
}

/** @param lastEventId as a browser sends it that comes back */
export async function followDeliveries(
  { http, userId }: Person,
  webhookId: number,
  lastEventId?: string,
): Promise<DeliveryEvents> {
  const headers = { authorization: `Bearer ${tokenOf(userId)}`, ...(lastEventId && { 'last-event-id': lastEventId }) };
  const response = await fetch(`${http.url}/api/v3/webhooks/${webhookId}/logs/stream`, { headers });
  if (response.status !== 200 || !response.body) throw new Error(`The stream was answered with ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<DeliveryEvent> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const fields = fieldsOf(text.slice(0, end));
        text = text.slice(end + 2);
        if (fields.data !== undefined) return { id: fields.id ?? '', delivery: JSON.parse(fields.data) };
        continue;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error(`The stream has ended; what is left is ${JSON.stringify(text)}`);
      text += value;
    }
  };
  return {
    contentType: response.headers.get('content-type'),
    take: async (count) => {
      const events: DeliveryEvent[] = [];
      while (events.length < count) events.push(await next());
      return events;
    },
    close: () => reader.cancel(),
  };
}

function fieldsOf(block: string): Partial<Record<string, string>> {
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line));
  return Object.fromEntries(lines.flatMap((match) => (match ? [[match[1], match[2]]] : [])));
}
