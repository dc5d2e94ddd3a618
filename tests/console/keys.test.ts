import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { atFullLength } from '@mneme/local-stack/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, keyOf, keysOf, useKey } from '../system/person.ts';
import { describeInBrowser, hold, newUser, startConsole, type TestConsole } from './browser.ts';

let console: TestConsole;

const hostile = '<img src=x onerror="document.title=1">javascript:alert(1)</script>';

describeInBrowser('keys', () => {
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console?.release());

  test('are created, shown once with snippets that work, copied with one click, and listed', async () => {
    const person = await newUser(console);
    await using screen = await console.open({ as: person, path: '/keys' });
    const { page, context } = screen;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('The project has no API keys').waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Assistant');
    await dialog.getByLabel('Only this agent').fill('alice');
    await dialog.getByLabel('Requests per minute').fill('90');
    await dialog.getByLabel('Expires after days').fill('30');
    await screen.expectAccessible(dialog);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/v3/api-keys', async (route) => {
      await held;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Create key', disabled: false }).click();
    await dialog.getByRole('button', { name: 'Create key', disabled: true }).waitFor();
    // The dialog does not close meanwhile, since nothing else shows the key.
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Cancel', disabled: true }).last().waitFor();
    release();
    const shown = dialog.getByRole('region', { name: 'Key', exact: true });
    await shown.waitFor();
    const key = (await shown.textContent()) ?? '';
    expect(await useKey(console.system.http, key)).toBe(200);
    await page.evaluate('navigator.clipboard.writeText("nothing yet")');
    await dialog.getByRole('button', { name: 'Copy' }).first().click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await screen.expectAccessible(dialog);
    expect(await dialog.getByRole('region', { name: 'TypeScript' }).textContent()).toContain(`apiKey: "${key}"`);
    await dialog.getByRole('tab', { name: 'MCP' }).click();
    const mcp = `claude mcp add --transport http mneme ${console.system.http.url}/mcp/alice --header "Authorization: Bearer ${key}"`;
    expect(await dialog.getByRole('region', { name: 'MCP' }).textContent()).toBe(mcp);
    await dialog.getByRole('tab', { name: 'curl' }).click();
    const curl = (await dialog.getByRole('region', { name: 'curl' }).textContent()) ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', `${curl} -s`]);
    expect(JSON.parse(stdout)).toMatchObject({ results: [] });
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row', { name: /Assistant Active/ }).waitFor();
    expect(await page.content()).not.toContain(key);
    await screen.expectAccessible();
    await screen.screenshot('keys');
    expect(await keysOf(person)).toMatchObject(
      [{ name: 'Assistant', scopes: ['memory:write'], rate_limit: 90, agent_id: 'alice', expires_at: /Z$/ }].map(
        (each) => ({ ...each, expires_at: expect.stringMatching(each.expires_at) }),
      ),
    );
  });

  test('are changed and revoked with the keyboard alone', async () => {
    const person = await newUser(console);
    const { id, key } = await createKey(person, { name: hostile, scopes: ['memory:read'] });
    await using screen = await console.open({ as: person, path: '/keys' });
    const { page } = screen;
    await page.getByRole('link', { name: hostile.slice(0, 20) }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: '<img' }).waitFor();
    const name = page.getByLabel('Name');
    await name.waitFor();
    // By somebody else, which what is changed here leaves as it is.
    await person.http.patch(`/api/v3/api-keys/${id}`, { project_id: person.projectId, rate_limit: 77 });
    await name.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Reader');
    await page.getByRole('switch', { name: 'Active' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Reader' }).waitFor();
    expect(await keyOf(person, id)).toMatchObject({
      name: 'Reader',
      is_active: false,
      scopes: ['memory:read'],
      rate_limit: 77,
    });
    expect(await useKey(console.system.http, key)).toBe(401);

    await page.getByRole('button', { name: 'Revoke' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Revoke this key?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Revoke');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Revoke this key?' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('The project has no API keys').waitFor();
    expect(await keysOf(person)).toEqual([]);
  });

  test('keep what is changed, or changed back, while an earlier change is saved, and are rotated once, also if the answer is lost', async () => {
    const person = await newUser(console);
    const { http } = console.system;
    const { id, key } = await createKey(person, { name: 'Assistant' });
    const path = `/keys/${id}?project=${person.projectId}`;
    await using screen = await console.open({ as: person, path, allowedErrors: /ERR_FAILED/ });
    const { page } = screen;
    const name = page.getByLabel('Name');
    const toggle = () => page.getByRole('switch', { name: 'Active' }).press('Space');
    await name.fill('Reader');
    await toggle();
    const save = page.getByRole('button', { name: 'Save', disabled: false });
    const saving = await hold(page, 'PATCH', `/api/v3/api-keys/${id}`);
    await save.click();
    await saving.sent;
    await name.fill('Writer');
    await toggle();
    saving.release();
    await page.getByRole('heading', { level: 1, name: 'Reader' }).waitFor();
    await save.waitFor();
    expect(await page.getByText('The key is saved.').count()).toBe(0);
    expect(await keyOf(person, id)).toMatchObject({ name: 'Reader', is_active: false });
    await save.click();
    await page.getByRole('heading', { level: 1, name: 'Writer' }).waitFor();
    await page.getByText('The key is saved.').waitFor();
    expect(await keyOf(person, id)).toMatchObject({ name: 'Writer', is_active: true });

    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/regenerate')) keys.push(request.headers()['idempotency-key']);
    });
    const carriedOut: number[] = [];
    await page.route(
      '**/regenerate',
      async (route) => {
        carriedOut.push((await route.fetch()).status());
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Rotate' }).click();
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Create the new key', disabled: false });
    await submit.click();
    await dialog.getByRole('alert').waitFor();
    expect(carriedOut).toEqual([200]);
    await submit.click();
    const next = (await dialog.getByRole('region', { name: 'Key', exact: true }).textContent()) ?? '';
    expect(keys).toEqual([expect.any(String), keys[0]]);
    // The overlap of one day holds: a second rotation would have ended the first key.
    expect([await useKey(http, key), await useKey(http, next)]).toEqual([200, 200]);
  });

  test.runIf(atFullLength)('are rotated with an overlap, and show how they are used', async () => {
    const person = await newUser(console);
    const { http } = console.system;
    const { id, key } = await createKey(person, { name: 'Assistant', rate_limit: 3 });
    const answers = [];
    for (let tries = 0; tries < 5; tries += 1) answers.push(await useKey(http, key));
    expect(answers).toEqual([200, 200, 200, 429, 429]);
    const path = `/keys/${id}?project=${person.projectId}`;
    await using screen = await console.open({ as: person, path, allowedErrors: /status of 500/ });
    const { page } = screen;
    await page.getByRole('img', { name: '3 requests, 2 beyond the limit' }).waitFor({ timeout: 40_000 });
    await screen.expectAccessible();
    await screen.screenshot('key');
    await page.getByText('Last 30 days').click();
    await page.getByRole('img', { name: '3 requests, 2 beyond the limit' }).waitFor();

    await page.getByRole('button', { name: 'Rotate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'The old key works for' }).click();
    await page.getByRole('option', { name: 'One hour' }).click();
    await screen.expectAccessible(dialog);
    await page.route('**/api/v3/api-keys?*', (route) =>
      route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR' } }),
    );
    await dialog.getByRole('button', { name: 'Create the new key' }).click();
    // The new key is shown this once, also if the page cannot be read again.
    await page.locator('main').getByText('The request failed (500)').waitFor();
    const next = (await dialog.getByRole('region', { name: 'Key', exact: true }).textContent()) ?? '';
    expect(next).not.toBe(key);
    await dialog.getByText('The old key works until').waitFor();
    await person.http.patch(`/api/v3/api-keys/${id}`, { project_id: person.projectId, rate_limit: 1_000 });
    expect([await useKey(http, key), await useKey(http, next)]).toEqual([200, 200]);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    expect(await page.content()).not.toContain(next);
  });

  test('of a team space are created in a project that is created here', async () => {
    const person = await newUser(console);
    await using screen = await console.open({ as: person, path: '/keys', width: 360, theme: 'dark' });
    const { page } = screen;
    await page.getByRole('button', { name: 'New project' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the project').fill(hostile);
    await dialog.getByRole('combobox', { name: 'Space' }).click();
    await page.getByRole('option', { name: 'A new space' }).click();
    await dialog.getByLabel('Name of the space').fill('Research');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Project' }).inputValue()).toContain('<img src=x');
    expect(new URL(page.url()).search).toMatch(/^\?project=\d+$/);
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByLabel('Name').fill('Of the team');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('link', { name: 'Of the team' }).waitFor();
    await screen.expectAccessible();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expect(await page.title()).toBe('Mneme');
    await page.getByRole('link', { name: 'Of the team' }).click();
    const periods = page.getByRole('radiogroup', { name: 'Show' });
    expect(await periods.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    const lastBox = await periods.getByText('Last 30 days').boundingBox();
    expect((lastBox?.x ?? 360) + (lastBox?.width ?? 0)).toBeLessThan(360);
  });
});
