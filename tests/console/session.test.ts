import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atFullLength, startOidcProvider } from '@mneme/local-stack/testing';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startNode } from '../system/node-process.ts';
import { jwtSecret, tokenOf } from '../system/tokens.ts';
import { describeInBrowser, newUser, signIn, startConsole, type TestConsole } from './browser.ts';

let console: TestConsole;

describeInBrowser('a session', () => {
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.release());

  test('is opened by a sign-in link, once', async () => {
    const { userId } = await newUser(console);
    const link = await signInLink(userId);
    await using first = await console.open({ path: link });
    await first.page.getByRole('button', { name: `User ${userId}` }).waitFor();
    expect(new URL(first.page.url())).toMatchObject({ pathname: '/agents', hash: '' });
    await using second = await console.open({ path: link, allowedErrors: /status of 401/ });
    await second.page.getByText('This link was used before').waitFor();
    expect(await second.context.cookies()).toEqual([]);
    // Another link, opened in the page that is there: the browser does not load it anew.
    await second.page.goto(await signInLink(userId));
    await second.page.getByRole('button', { name: `User ${userId}` }).waitFor();
    expect(new URL(second.page.url()).hash).toBe('');
  });

  test('is a cookie that no script sees, in a page that runs none but files of the server', async () => {
    await using screen = await console.open({ as: await newUser(console), allowedErrors: /Content Security Policy/ });
    const { page, context } = screen;
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await context.cookies()).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/' }]);
    const stored = await page.evaluate(
      'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])',
    );
    expect(stored).not.toMatch(/eyJ|sk-/);
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'window.isOwned = true';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src="x:" onerror="window.isOwned = true">');
    }`);
    await expect.poll(() => screen.errors.length).toBeGreaterThanOrEqual(2);
    expect(await page.evaluate('window.isOwned')).toBeUndefined();
  });

  test('is opened with a pasted token, or refused with what to do; a link that leads elsewhere leads to the agents', async () => {
    const { userId } = await newUser(console);
    await using screen = await console.open({
      path: '/sign-in?to=https://evil.example',
      allowedErrors: /status of 401/,
    });
    const { page } = screen;
    await page.getByLabel('Token or API key').fill('sk-nothing');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The credential is not valid').waitFor();
    // This server has none.
    expect(await page.getByText('identity provider').count()).toBe(0);
    await page.getByLabel('Token or API key').fill(tokenOf(userId));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `User ${userId}` }).waitFor();
    expect(page.url()).toBe(`${console.system.http.url}/agents`);
  });

  test('is opened at the identity provider, which leads back to where one was', async () => {
    const person = await newUser(console);
    await person.http.put('/api/agents/zoe', {});
    // For a browser another site than the console, as those of most companies are.
    const provider = await startOidcProvider('mneme-console', 'localhost');
    onTestFinished(() => provider.stop());
    const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'mneme-console' };
    const { http } = await console.system.addGateway({ MEMORY_AUTH: 'required', ...settings });
    await using screen = await console.open({ url: http.url, path: '/agents?q=zo' });
    const { page, context } = screen;
    const button = page.getByRole('link', { name: 'Sign in with your identity provider' });
    await button.waitFor();
    provider.claims.sub = 'carla';
    await button.click();
    await page.getByRole('alert').getByText('The identity provider did not sign you in').waitFor();
    await screen.expectAccessible();
    expect(await context.cookies()).toEqual([]);
    provider.claims.sub = String(person.userId);
    await button.click();
    await page.getByRole('link', { name: 'zoe' }).waitFor();
    expect(new URL(page.url())).toMatchObject({ origin: http.url, pathname: '/agents', search: '?q=zo' });
    await page.getByRole('button', { name: `User ${person.userId}` }).waitFor();
    expect(await context.cookies()).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }]);
  });

  test('that has ended is asked for over the page and its dialogs, which keep what is being typed, also when the server has other files by then', async () => {
    const person = await newUser(console);
    await person.http.put('/api/agents/zoe', { background: 'I dive.' });
    await using screen = await console.open({ as: person, path: '/agents/zoe', allowedErrors: /status of 401/ });
    const { page, context } = screen;
    const addition = page.getByLabel('Add to the background');
    await addition.fill('I live in Lisbon.');
    await endSession(context);
    // As when it ends on time, with a browser that has removed the cookie by then.
    await context.clearCookies();
    await page.getByRole('button', { name: 'Show the result' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByText('Your session has ended').waitFor();
    await dialog.getByLabel('Token or API key').fill(tokenOf(person.userId));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await addition.inputValue()).toBe('I live in Lisbon.');
    await page.getByRole('button', { name: 'Show the result' }).click();
    await page.getByText('What changes').waitFor();

    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    const name = page.getByRole('dialog', { name: 'New key' }).getByLabel('Name');
    await name.fill('Assistant');
    await endSession(context);
    await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }));
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Token or API key').waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Token or API key').fill(tokenOf(person.userId));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Assistant');
  });

  test('of another user in a second tab is not used by the first one', async () => {
    const [first, second] = [await newUser(console), await newUser(console)];
    for (const person of [first, second]) await person.http.put('/api/agents/zoe', { background: 'I dive.' });
    await using screen = await console.open({ as: first, path: '/agents/zoe', allowedErrors: /status of 401/ });
    const { page, context } = screen;
    await page.getByRole('img', { name: /Openness 0.5, / }).waitFor();
    await signIn(context, second);
    await page.getByRole('slider', { name: 'Openness' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Save traits' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByText(`This browser is signed in as User ${second.userId}`).waitFor();
    for (const person of [first, second]) {
      const { body } = await person.http.get('/api/agents/zoe/profile');
      expect(body.personality.openness).toBe(0.5);
    }
    await screen.expectAccessible(dialog);
    await dialog.getByRole('button', { name: `Continue as User ${second.userId}` }).click();
    await page.getByRole('button', { name: `User ${second.userId}`, exact: true }).waitFor();
    await page.getByRole('img', { name: /Openness 0.5, / }).waitFor();
  });

  test('whose server fails is shown when it answers again, and ends when one signs out', async () => {
    const person = await newUser(console);
    const failure = { status: 500, json: { code: 'INTERNAL_ERROR' } };
    await using screen = await console.open({
      as: person,
      prepare: (page) => page.route('**/api/v3/session', (route) => route.fulfill(failure)),
      allowedErrors: /status of 50[03]|INTERNAL_ERROR/,
    });
    const { page, context } = screen;
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute('**/api/v3/session');
    await again.click();
    const user = page.getByRole('button', { name: `User ${person.userId}` });
    await user.waitFor();

    const [cookie] = await context.cookies();
    await page.route('**/api/v3/session', (route) => route.fulfill({ status: 503, json: { code: 'UNAVAILABLE' } }));
    await user.click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const dialog = page.getByRole('dialog', { name: 'You are still signed in' });
    await dialog.getByRole('alert').waitFor();
    await screen.expectAccessible(dialog);
    await page.unroute('**/api/v3/session');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await context.cookies()).toEqual([]);
    const copied = { cookie: `${cookie?.name}=${cookie?.value}`, 'mneme-console': '1' };
    expect(await console.system.http.get('/api/agents', copied)).toMatchObject({ status: 401 });
  });

  test('is of no use to pages of other origins, which cannot frame the console either', async () => {
    const person = await newUser(console);
    await person.http.put('/api/agents/mine', { background: 'I dive.' });
    await using screen = await console.open({ as: person, allowedErrors: /./ });
    await screen.page.getByRole('link', { name: 'mine' }).waitFor();
    const framing = await servePage('127.0.0.1', `<iframe src="${console.system.http.url}/agents"></iframe>`);
    await screen.page.goto(framing);
    await expect.poll(() => screen.errors.join()).toMatch(/frame-ancestors/);
    // The same site, as another port of this machine is, and another one.
    for (const host of ['127.0.0.1', 'localhost']) {
      const page = await screen.context.newPage();
      await page.goto(await foreignPage(host, console.system.http.url));
      await expect.poll(() => page.evaluate('window.outcomes?.length')).toBe(4);
      expect(await page.evaluate('window.outcomes')).toEqual(Array.from({ length: 4 }, () => 'failed'));
      await page.close();
    }
    const { body } = await person.http.get('/api/agents/mine/profile');
    expect(body.background).toBe('I dive.');
  });

  test('without one, the public space is shown where memory is open, and said to be public', async () => {
    await using screen = await console.open();
    await screen.page.getByText('You see the public space').waitFor();
    await screen.expectAccessible();
  });

  test('without one, pages of other origins make no agents in the public space', async () => {
    await using screen = await console.open({ allowedErrors: /./ });
    for (const host of ['127.0.0.1', 'localhost']) {
      const page = await screen.context.newPage();
      await page.goto(await pageWithImage(host, `${console.system.http.url}/api/agents/planted/profile`));
      await expect.poll(() => page.evaluate('window.isDone')).toBe(true);
      await page.close();
    }
    expect((await console.system.http.get('/api/agents?prefix=planted')).body.agents).toEqual([]);
  });

  test.runIf(atFullLength)(
    'a lost connection is shown and keeps the page: another area waits for the server, what was typed is there, and what was missed comes by itself',
    async () => {
      const person = await newUser(console);
      await person.http.put('/api/agents/zoe', {});
      await using screen = await console.open({
        as: person,
        path: '/think',
        allowedErrors: /ERR_INTERNET_DISCONNECTED/,
      });
      const { page, context } = screen;
      const question = page.getByRole('textbox', { name: 'Question' });
      const lost = page.getByRole('status').filter({ hasText: 'What you see may be out of date' });
      await question.fill('Does Zoe dive?');
      await context.setOffline(true);
      await page.getByRole('link', { name: 'Keys' }).click();
      await lost.waitFor();
      await screen.expectAccessible(lost);
      await question.waitFor({ state: 'detached' });
      await context.setOffline(false);
      await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
      await lost.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Think' }).click();
      await expect.poll(() => question.inputValue()).toBe('Does Zoe dive?');

      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      await page.getByRole('link', { name: 'zoe' }).waitFor();
      await context.setOffline(true);
      await page.getByLabel('Find agents').fill('zo');
      await lost.waitFor();
      await context.setOffline(false);
      await lost.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'zoe' }).waitFor();
    },
  );

  test('an area whose code has other names, as after an upgrade, comes with a page that is read anew', async () => {
    await using screen = await console.open({
      as: await newUser(console),
      allowedErrors: /status of 404|dynamically imported/,
    });
    const { page } = screen;
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    let isReadAnew = false;
    await page.route('**/*', (route) => {
      isReadAnew ||= route.request().isNavigationRequest();
      const isGone = !isReadAnew && route.request().url().includes('/assets/');
      return isGone ? route.fulfill({ status: 404 }) : route.fallback();
    });
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    expect(isReadAnew).toBe(true);
  });
});

async function signInLink(userId: number): Promise<string> {
  const environment = { NATS_URL: console.system.stack.natsUrl, JWT_SECRET: jwtSecret };
  const parameters = ['sign-in', '--user', String(userId), '--url', console.system.http.url];
  const command = startNode({ entry: 'packages/cli/src/main.ts', parameters, environment });
  await command.exited;
  expect(command.output()).toMatch(/^http\S+#code=[\w-]{43}\n$/);
  return command.output().trim();
}

/** Ends it elsewhere: the browser keeps a cookie that is worth nothing any more. */
async function endSession(context: BrowserContext): Promise<void> {
  const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const headers = { cookie: cookies, 'mneme-console': '1' };
  expect((await console.system.http.delete('/api/v3/session', headers)).body).toEqual({ signed_out: true });
}

/** A page that tries to read and change memory with the cookie of the console. */
function foreignPage(host: string, target: string): Promise<string> {
  const background = `${target}/api/agents/mine/background`;
  return servePage(
    host,
    `<script type="module">
      const attempts = [
        fetch('${target}/api/agents', { credentials: 'include' }),
        fetch('${background}', { method: 'POST', credentials: 'include', mode: 'no-cors', body: '{"content":"I was hacked."}' }),
        fetch('${background}', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json', 'mneme-console': '1' }, body: '{"content":"I was hacked."}' }),
        fetch('${target}/api/v3/session', { method: 'DELETE', credentials: 'include', headers: { 'mneme-console': '1' } }),
      ];
      const frame = document.createElement('iframe');
      frame.name = 'hidden';
      document.body.append(frame);
      const form = Object.assign(document.createElement('form'), { action: '${background}', method: 'POST', enctype: 'text/plain', target: 'hidden' });
      form.append(Object.assign(document.createElement('input'), { name: '{"content":"I was hacked.","x":"', value: '"}' }));
      document.body.append(form);
      form.submit();
      window.outcomes = (await Promise.allSettled(attempts)).map(({ value }) => value?.ok ? 'answered' : 'failed');
    </script>`,
  );
}

/** A page that shows what is not an image. */
function pageWithImage(host: string, source: string): Promise<string> {
  return servePage(host, `<img src="${source}" onerror="window.isDone = true">`);
}

async function servePage(host: string, body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>Another page</title><body>${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => void server.close());
  return `http://${host}:${(server.address() as AddressInfo).port}/`;
}
