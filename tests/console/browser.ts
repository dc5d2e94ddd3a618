import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Result } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Locator, type Page, type Request } from 'playwright-core';
import { describe, expect } from 'vitest';
import { newPerson, type Person } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { tokenOf } from '../system/tokens.ts';

const root = join(import.meta.dirname, '../..');
/** The one without windows takes half of the processor time. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].filter((path) => existsSync(path));
const executablePath = process.env.CHROMIUM ?? installed[0] ?? '/usr/bin/chromium';
/** A name in a network, which browsers trust less over http than this machine. */
export const networkName = 'mneme.test';
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=MAP ${networkName} 127.0.0.1`,
];
const height = 900;
/** On a machine that also does other work a page may take many times as long as usual. */
const waitMs = 120_000;
const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const hasBrowser = existsSync(executablePath);

/** Tests in a real browser; skipped where there is none. */
export const describeInBrowser: typeof describe.skip = hasBrowser ? describe : describe.skip;

if (!hasBrowser) {
  const advice = 'apt-get install chromium-headless-shell, or name another one in CHROMIUM';
  process.stderr.write(`Skipped: tests of the console need ${executablePath} (${advice}).\n`);
}

/** The console of the shared system, in a browser. */
export interface TestConsole {
  readonly system: SharedSystem;
  /** Opens a page; close it, which also checks that it had no errors, by `await using`. */
  open(options?: OpenOptions): Promise<Screen>;
  /** Ends the browser, and leaves the system to the next file. */
  release(): Promise<void>;
}

export interface OpenOptions {
  /** Who is signed in; no one unless given. */
  readonly as?: Person;
  /** Where; `/` unless given. */
  readonly path?: string;
  readonly theme?: 'light' | 'dark';
  /** In pixels; 1280 unless given. */
  readonly width?: number;
  /** Errors on the browser's console that the test brings about. */
  readonly allowedErrors?: RegExp;
  /** Another gateway than that of the system. */
  readonly url?: string;
  /** What to do before it is opened, such as to add routes. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

export interface Screen extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What has been written to the browser's console as an error, thrown, or blocked by the policy of the page. */
  readonly errors: readonly string[];
  /** @param part where the rest has been looked at @throws when axe finds a serious fault in what is shown now */
  expectAccessible(part?: Locator): Promise<void>;
  /** The same in the light theme at 360 pixels, then in the dark one at 1280, where it must not be wider than that either. */
  expectUsable(part?: Locator): Promise<void>;
  /** Writes `docs/console/<name>.png` if MNEME_SCREENSHOTS is set. */
  screenshot(name: string): Promise<void>;
}

/** Builds the console if need be, and starts the system and the browser. @param settings of the system */
export async function startConsole(settings: Readonly<Record<string, string>> = {}): Promise<TestConsole> {
  // A test that is run alone has not come through `npm test`, which builds the console and the bundles.
  if (!process.env.MNEME_BUNDLES)
    await promisify(execFile)(process.execPath, [join(root, 'scripts/build-console.mjs')]);
  const system = await shareSystem(settings);
  const browser = await chromium.launch({ executablePath, args: flags });
  return {
    system,
    open: (options = {}) => open(browser, system.http.url, options),
    release: async () => {
      await browser.close();
      await system.release();
    },
  };
}

/** A user with a space of their own, to sign in as. */
export function newUser({ system }: TestConsole): Promise<Person> {
  return newPerson(system.http);
}

async function open(browser: Browser, systemUrl: string, options: OpenOptions): Promise<Screen> {
  const { as: person, path = '/', theme = 'light', width = 1_280, allowedErrors, url = systemUrl, prepare } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Lisbon',
    locale: 'en-GB',
    baseURL: url,
  });
  context.setDefaultTimeout(waitMs);
  if (person) await signIn(context, person);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || /content security policy/i.test(message.text())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await prepare?.(page);
  await page.goto(path);
  return {
    page,
    context,
    errors,
    expectAccessible: (part) => expectAccessible(page, part),
    expectUsable: (part) => expectUsable(page, part),
    screenshot: async (name) => {
      if (process.env.MNEME_SCREENSHOTS === undefined) return;
      await page.screenshot({ path: join(root, 'docs/console', `${name}.png`), animations: 'disabled' });
    },
    [Symbol.asyncDispose]: async () => {
      await context.close();
      expect(errors.filter((error) => !allowedErrors?.test(error))).toEqual([]);
    },
  };
}

/** As the console does it; the cookie lands in the browser. */
export async function signIn({ request }: BrowserContext, { userId }: Person): Promise<void> {
  const answer = await request.post('/api/v3/session', {
    headers: { 'mneme-console': '1' },
    data: { credential: tokenOf(userId) },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Presses a button that asks a question first, and agrees. */
export async function agreeTo(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('dialog').getByRole('button', { name }).click();
}

/** Comes back to a page after a while: it reads again what it shows. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(`{
    const { now } = Date;
    Date.now = () => now() + 10_000;
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }`);
}

/** Has requests of a method to a path wait until they are let go, to the server or to routes from before. */
export async function hold(page: Page, method: string, path: string) {
  const isHeld = (request: Request) => request.method() === method && new URL(request.url()).pathname === path;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const sent = page.waitForRequest(isHeld);
  await page.route('**/*', async (route) => {
    if (!isHeld(route.request())) return route.fallback();
    await released;
    await route.fallback();
  });
  return { sent, release };
}

/** Areas are looked at in these. */
const looks = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1_280 },
] as const;

const countOfAnimations = `document.getAnimations().filter(({ playState }) => playState === 'running').length`;

/** What the script of axe adds to a page. */
interface WithAxe {
  readonly axe: { run(part: unknown, options: object): Promise<{ readonly violations: Result[] }> };
}

/** It takes about as much processor time as opening a page, and less for a part. */
async function expectAccessible(page: Page, part = page.locator(':root')): Promise<void> {
  // Animations of what has just appeared would be measured half transparent.
  await expect.poll(() => page.evaluate(countOfAnimations)).toBe(0);
  const isLoaded = await page.evaluate('window.axe !== undefined');
  if (!isLoaded) await page.evaluate(readFileSync(axePath, 'utf8'));
  const violations = await part.evaluate(async (element) => {
    const { axe } = globalThis as unknown as WithAxe;
    return (await axe.run(element, { resultTypes: ['violations'] })).violations;
  });
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const found = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  expect(found).toEqual([]);
}

/** In one page, which follows its size and the theme of the system: opening it again takes longer than all else. */
async function expectUsable(page: Page, part?: Locator): Promise<void> {
  for (const { colorScheme, width } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, part);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
}
