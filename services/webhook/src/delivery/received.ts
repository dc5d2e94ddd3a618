const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A body as text. What is not UTF-8, which the gateway lets nobody send, shows replacement characters. */
export function payloadText(body: Uint8Array): string {
  return decoder.decode(body);
}
