/** What is on its way when the connection breaks counts as delivered, and does not come again. */
export function assertNoneLost(delivered: number, read: number): void {
  if (delivered !== read)
    throw new Error(`Of ${delivered} messages that were handed out, ${delivered - read} were lost`);
}
