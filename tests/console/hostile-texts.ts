import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Texts that would do something if they were more than text. */
export const hostileTexts = [
  '<img src=x onerror="window.isOwned=true">',
  'javascript:window.isOwned=true',
  '</script><script>window.isOwned=true</script>',
  '{{constructor.constructor("window.isOwned=true")()}}',
  '\u001b[31mred\u001b[0m \u202eabc',
];
/** All in one. */
export const hostile = hostileTexts.join(' ');

/** @throws when one of the texts, which are shown or were, is more than text */
export async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate('window.isOwned')).toBeUndefined();
  expect(await page.locator('main img, main script, main a[href^="javascript:"]').count()).toBe(0);
}
