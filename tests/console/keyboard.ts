import type { Page } from 'playwright-core';

/** More than any page has to pass. */
const maxSteps = 100;
const nameOfFocused = `(() => {
  const element = document.activeElement;
  const label = element.labels?.[0]?.textContent;
  return (element.getAttribute('aria-label') ?? label ?? element.textContent).trim();
})()`;

/** Presses Tab until something of this name has the focus. @throws Error when nothing gets it */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: unknown[] = [];
  while (passed.length < maxSteps) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(nameOfFocused);
    if (focused === name) return;
    passed.push(focused);
  }
  throw new Error(`The keyboard does not reach ${name}, but ${[...new Set(passed)].join(', ')}`);
}

/** Goes to a button or link of this name by keyboard, and presses it. */
export async function pressButton(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}
