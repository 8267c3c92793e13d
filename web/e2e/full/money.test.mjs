// E-8, E-9, T-22: a user sets what agents may use and which agent is the fallback, and steers an agent at work.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

import { openBrowser } from '../browser.mjs';
import { startForge } from '../forge.mjs';

/** @type {Awaited<ReturnType<typeof startForge>>} */
let forge;
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let browser;
/** @type {string} */
let place;

before(async () => {
  place = await mkdtemp(join(tmpdir(), 'forge-e2e-repo-'));
  const git = (/** @type {string[]} */ ...words) => promisify(execFile)('git', ['-C', place, ...words]);
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('-c', 'user.name=A', '-c', 'user.email=a@localhost', 'commit', '--quiet', '--allow-empty', '-m', 'Begin');
  forge = await startForge();
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await forge?.stop();
  await rm(place, { recursive: true, force: true });
});

test('a user sets budgets and a fallback, and steers an agent at work', { timeout: 120_000 }, async () => {
  const { page } = browser;
  await page.goto(forge.link);
  await page.getByRole('button', { name: 'Go on without a password' }).click();
  await page.getByRole('button', { name: 'Sign in without a password' }).click();
  await page.getByRole('button', { name: 'admin, account menu' }).waitFor();

  const go = join(place, 'go');
  const waits = ['sh', '-c', `until [ -e '${go}' ]; do sleep 0.1; done; echo x >> x`];
  const ada = await send('/agents', { name: 'ada', executor: { kind: 'shell', command: waits } });
  const ben = await send('/agents', { name: 'ben', executor: { kind: 'shell', command: ['true'] } });
  const project = await send('/projects', { name: 'Ledger' });
  await send(`/projects/${project.id}/repos`, { path: place });
  const task = await send(`/projects/${project.id}/tasks`, { title: 'Work' });

  await page.goto(`${forge.origin}/agents?agent=ada`);
  await chooseFallback('ben');
  assert.equal((await read(`/agents/${ada.id}`)).fallback, ben.id);
  await chooseFallback('None');
  assert.equal((await read(`/agents/${ada.id}`)).fallback, null);

  await page.goto(`${forge.origin}/projects/${project.slug}/settings?section=budget`);
  const form = page.getByRole('form', { name: 'Budget of the project' });
  await form.getByLabel('US dollars').fill('much');
  await form.getByRole('button', { name: 'Save budget' }).click();
  await form.getByText('Write an amount such as 12.50.').waitFor();
  await form.getByLabel('US dollars').fill('12.50');
  await form.getByRole('button', { name: 'Save budget' }).click();
  await page.getByText('Agents may use $12.50 in this project.').waitFor();

  // An address by id, as older notes hold it, leads to the one by key.
  await page.goto(`${forge.origin}/tasks/${task.id}`);
  await page.waitForURL(`${forge.origin}/projects/${project.slug}/${task.key}`);
  await page.getByRole('button', { name: 'Change budget' }).click();
  const own = page.getByRole('form', { name: 'Budget of the task' });
  await own.getByLabel('Tokens').fill('5000');
  await own.getByRole('button', { name: 'Save budget' }).click();
  await page.getByText('5000 tokens').waitFor();
  assert.deepEqual((await read(`/tasks/${task.id}`)).budget, { tokens: 5000 });

  await send(`/tasks/${task.id}/claim`, { agent_id: ada.id });
  const reply = page.getByRole('form', { name: 'Reply' });
  await reply.getByLabel('Message').fill('use tabs');
  await reply.getByRole('button', { name: 'Send' }).click();
  await reply.getByText('“use tabs”').waitFor();
  const messages = (await read(`/tasks/${task.id}`)).messages;
  assert.deepEqual(
    messages.map((/** @type {{ message: string }} */ { message }) => message),
    ['use tabs'],
  );
  await writeFile(go, '');
  assert.deepEqual(browser.errors, [], 'the console must stay clean');
});

/** @param {string} path @param {unknown} data */
async function send(path, data) {
  const headers = { origin: forge.origin };
  const answer = await browser.page.request.post(`${forge.origin}/api/v1${path}`, { data, headers });
  assert.ok(answer.ok(), `${path}: ${await answer.text()}`);
  return answer.json();
}

/** @param {string} path */
async function read(path) {
  const answer = await browser.page.request.get(`${forge.origin}/api/v1${path}`);
  assert.ok(answer.ok(), `${path}: ${await answer.text()}`);
  return answer.json();
}

/** @param {string} name */
async function chooseFallback(name) {
  const { page } = browser;
  await page.getByRole('button', { name: 'More for ada' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const form = page.getByRole('form', { name: 'Edit ada' });
  await form.getByLabel('Fallback').selectOption(name);
  const answered = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
  await form.getByRole('button', { name: 'Save' }).click();
  assert.ok((await answered).ok());
  await form.waitFor({ state: 'detached' });
}
