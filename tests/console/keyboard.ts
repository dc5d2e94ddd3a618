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

/** Chooses an option of the list that has the focus, by keyboard. */
export async function chooseOption(page: Page, name: string): Promise<void> {
  const reached = 'data-combobox-selected';
  const option = page.getByRole('option', { name, exact: true });
  await page.keyboard.press('ArrowDown');
  // The list opens at what is chosen now, a moment later: keys before that would be undone.
  await page.locator(`[role=option][${reached}]`).waitFor();
  for (let steps = 0; steps < maxSteps && (await option.getAttribute(reached)) === null; steps += 1) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}
