const negations = /\b(?:not|never|no longer|no|nobody|none|nothing|hardly|neither|nor|without|cannot)\b|n['’]t\b/gi;

/** Whether a sentence denies what its other words say; two negations cancel out. */
export function isNegated(text: string): boolean {
  return (text.match(negations)?.length ?? 0) % 2 === 1;
}
