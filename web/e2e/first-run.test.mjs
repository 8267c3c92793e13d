// S-5, S-6: from the one-time link to a landed task, as a new user sees it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openBrowser } from './browser.mjs';
import { startForge } from './forge.mjs';

const DEMO_TASKS = 6;
const DEMO_MS = 180_000;
const NAME = 'ann';
const PASSWORD = 'correct horse battery';

/** @type {Awaited<ReturnType<typeof startForge>>} */
let forge;
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let browser;

before(async () => {
  forge = await startForge();
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await forge?.stop();
});

test('a user chooses a password by the link, runs the demo, makes a token, signs out and in again', {
  timeout: 2 * DEMO_MS,
}, async () => {
  try {
    await firstRun();
  } catch (error) {
    const seen = await browser.page
      .locator('body')
      .textContent()
      .catch(() => '(no page)');
    process.stderr.write(`--- the page (${browser.page.url()})\n${seen}\n--- the server\n${forge.output()}\n`);
    throw error;
  }
});

async function firstRun() {
  const { page } = browser;

  await page.goto(forge.link);
  await choosePassword();
  await page.getByRole('button', { name: 'Add a repository' }).waitFor();

  await watchCards();
  await page.getByRole('button', { name: 'Run the demo' }).click();
  const board = page.getByRole('region', { name: 'Board', exact: true });
  await board.waitFor();
  const landed = await untilSettled();
  const moved = await page.evaluate(() => Object.values(window.seenStates ?? {}).filter((states) => states.length > 1));
  assert.notEqual(moved.length, 0, 'at least one card must have been seen moving from state to state');
  await fitsAPhone();

  const card = board.locator(`[data-workflow-state="${landed}"] [data-task]`).first().getByRole('link');
  const title = await card.textContent();
  await card.click();
  await page.getByRole('heading', { level: 1, name: title ?? '' }).waitFor();
  assert.match(new URL(page.url()).pathname, /^\/projects\/demo\/T-\d+$/, 'a task has its key in its address');
  const tabs = page.getByRole('navigation', { name: 'About this task' });
  await tabs.getByRole('link', { name: 'History' }).click();
  await page.getByRole('list', { name: 'History' }).getByRole('listitem').nth(1).waitFor();
  await tabs.getByRole('link', { name: 'Checks' }).click();
  await page.getByRole('list', { name: 'Attempts' }).getByText('Passed').first().waitFor();
  await tabs.getByRole('link', { name: 'Conversation' }).click();
  await page.getByRole('log', { name: 'Log of execution' }).waitFor();

  await page.getByRole('link', { name: 'Inbox' }).last().click();
  await page.getByRole('region', { name: 'Needs you' }).getByText('Conflict').first().waitFor();
  assert.match(await page.title(), /^\(1\) Inbox/, 'the title counts what needs the user');

  await page.getByRole('link', { name: /^Agents/ }).click();
  await page.getByRole('list', { name: 'Agents' }).getByRole('listitem').first().waitFor();

  await makeAndRevokeToken();

  const before = browser.requests.length;
  await openAccountEntry('Sign out');
  const signIn = page.getByRole('form', { name: 'Sign in' });
  await signIn.waitFor();
  const asked = browser.requests.slice(before).map((address) => new URL(address).pathname);
  assert.deepEqual(
    asked,
    ['/api/v1/auth/logout'],
    'signing out must ask for nothing that a signed-out user may not see',
  );
  const me = await page.request.get(`${forge.origin}/api/v1/auth/me`);
  assert.equal(me.status(), 401, 'the session must have ended on the server too');
  await signIn.getByLabel('Name').fill(NAME);
  await signIn.getByLabel('Password').fill(PASSWORD);
  await signIn.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await page.getByRole('button', { name: `${NAME}, account menu` }).waitFor();

  assert.deepEqual(browser.errors, [], 'the console must stay clean');
  const foreign = browser.requests.filter((address) => new URL(address).origin !== forge.origin);
  assert.deepEqual(foreign, [], 'no request may leave the server');
}

/** @param {string} name */
async function openAccountEntry(name) {
  const { page } = browser;
  await page.getByRole('button', { name: `${NAME}, account menu` }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** A mistake in the form must not use up the link. */
async function choosePassword() {
  const { page } = browser;
  const form = page.getByRole('form', { name: 'Choose a password' });
  await form.getByLabel('Name').fill(NAME);
  assert.equal(new URL(page.url()).hash, '', 'the one-time code must leave the address bar');
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await form.getByLabel('Password again').fill(`${PASSWORD}!`);
  await form.getByRole('button', { name: 'Sign in' }).click();
  await form.getByText('This is not the same password.').waitFor();
  await form.getByLabel('Password again').fill(PASSWORD);
  await form.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Set up your first project' }).waitFor();
}

/** The secret is seen once, opens the server from elsewhere, and no longer does once it is revoked. */
async function makeAndRevokeToken() {
  const { page } = browser;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: forge.origin });
  await openAccountEntry('Your account');
  await page.getByLabel('What is it for?').fill('laptop');
  await page.getByRole('button', { name: 'Make a token' }).click();
  const created = page.getByRole('region', { name: 'New token' });
  const secret = await created.getByLabel('Token for laptop').inputValue();
  await created.getByText(`forge login --url ${forge.origin}`).waitFor();
  await created.getByRole('button', { name: 'Copy' }).click();
  await created.getByText('Copied.').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret);
  assert.equal(await statusFor(secret), 200, 'the token must open the server');

  await created.getByRole('button', { name: 'I have it' }).click();
  await created.waitFor({ state: 'detached' });
  assert.ok(!(await page.content()).includes(secret), 'the secret must be shown only once');
  const list = page.getByRole('list', { name: 'Tokens', exact: true });
  const token = list.getByRole('listitem').filter({ hasText: 'laptop' });
  await token.getByRole('button', { name: 'Revoke laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
  await token.getByRole('button', { name: 'Revoke laptop' }).click();
  assert.equal(await statusFor(secret), 200, 'a token that was kept must go on working');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('1 that no longer work').waitFor();
  assert.equal(await statusFor(secret), 401, 'a revoked token must open nothing');
}

/** @param {string} token */
async function statusFor(token) {
  const answer = await fetch(`${forge.origin}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } });
  return answer.status;
}

/** Notes every state in which a card is ever shown. A reload would forget it all, so it also proves there is none. */
async function watchCards() {
  await browser.page.evaluate(() => {
    /** @type {Record<string, string[]>} */
    const seen = {};
    window.seenStates = seen;
    const note = () => {
      for (const card of document.querySelectorAll('[data-workflow-state] [data-task]')) {
        const key = card.getAttribute('data-task') ?? '';
        const state = card.closest('[data-workflow-state]')?.getAttribute('data-workflow-state') ?? '';
        const states = seen[key] ?? [];
        seen[key] = states;
        if (states.at(-1) !== state) {
          states.push(state);
        }
      }
    };
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
  });
}

/** Waits until every card of the demo landed or is parked for a person; the name of the state of those that landed. */
async function untilSettled() {
  const { page } = browser;
  const projects = await page.request.get(`${forge.origin}/api/v1/projects`);
  const project = (await projects.json()).items[0].id;
  const answer = await page.request.get(`${forge.origin}/api/v1/projects/${project}/workflow`);
  assert.equal(answer.status(), 200);
  /** @type {{states: {name: string, kind: string, outcome: string | null}[]}} */
  const { states } = await answer.json();
  const resting = states.filter(({ kind }) => kind === 'terminal' || kind === 'hold').map(({ name }) => name);
  const success = states.find(({ outcome }) => outcome === 'success')?.name;
  assert.ok(success, 'the workflow must have a successful end');
  await page.waitForFunction(
    ({ resting, success, count }) => {
      const at = [...document.querySelectorAll('[data-workflow-state] [data-task]')].map(
        (card) => card.closest('[data-workflow-state]')?.getAttribute('data-workflow-state') ?? '',
      );
      return at.length >= count && at.includes(success) && at.every((state) => resting.includes(state));
    },
    { resting, success, count: DEMO_TASKS },
    { timeout: DEMO_MS, polling: 250 },
  );
  return success;
}

/** On a phone the phases are tabs, the navigation is at the bottom and nothing sticks out to the side. */
async function fitsAPhone() {
  const { page } = browser;
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 375, height: 800 });
  await page.getByRole('navigation', { name: 'Phases' }).waitFor();
  await page.getByRole('button', { name: 'New task' }).waitFor();
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(over <= 0, `the page is ${over} px wider than a phone`);
  if (wide !== null) {
    await page.setViewportSize(wide);
  }
  await page.getByRole('region', { name: 'Board', exact: true }).waitFor();
}
