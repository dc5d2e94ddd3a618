interface WithSubject {
  readonly subject: string;
}

/** The id of the webhook that the subject of its deliveries and of its other events names. */
export function webhookOf(event: WithSubject): number {
  return lastToken(event);
}

/** The id of the table that the subject of its events names. */
export function tableOf(event: WithSubject): number {
  return lastToken(event);
}

function lastToken({ subject }: WithSubject): number {
  return Number(subject.slice(subject.lastIndexOf('.') + 1));
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A body as text. The gateway accepts UTF-8 only; anything else would become replacement characters. */
export function payloadText(body: Uint8Array): string {
  return decoder.decode(body);
}
