// S-6: a user without a password is told what that means and led to a token.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openBrowser } from '../browser.mjs';
import { startForge } from '../forge.mjs';

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

test('a user who skips the password is warned and makes a token', { timeout: 60_000 }, async () => {
  const { page } = browser;
  await page.goto(forge.link);
  await page.getByRole('button', { name: 'Go on without a password' }).click();
  await page.getByText('there is no way back in after signing out').waitFor();
  await page.getByRole('button', { name: 'Sign in without a password' }).click();

  const warning = page.getByText('You have no password. Make a token before you sign out.');
  await warning.waitFor();
  await page.getByRole('button', { name: 'admin, account menu' }).waitFor();
  await page.getByLabel('What is it for?').fill('way back');
  await page.getByRole('button', { name: 'Make a token' }).click();
  const secret = await page.getByRole('region', { name: 'New token' }).getByLabel('Token for way back').inputValue();
  await warning.waitFor({ state: 'detached' });
  const me = await fetch(`${forge.origin}/api/v1/auth/me`, { headers: { authorization: `Bearer ${secret}` } });
  assert.equal(me.status, 200, 'the token must be a way back in');

  await page.goto(forge.link);
  await page.getByRole('button', { name: 'Go on without a password' }).click();
  await page.getByRole('button', { name: 'Sign in without a password' }).click();
  await page.getByText('The one-time sign-in link was used or has expired.').waitFor();
  await page.getByRole('button', { name: 'Sign in with a password' }).waitFor();
});
