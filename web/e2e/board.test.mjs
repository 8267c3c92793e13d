// S-5: the board by keyboard and by dragging.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

import { openBrowser } from './browser.mjs';
import { startForge } from './forge.mjs';

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
  const { page } = browser;
  await page.goto(forge.link);
  await page.getByRole('button', { name: 'Go on without a password' }).click();
  await page.getByRole('button', { name: 'Sign in without a password' }).click();
  await page.getByRole('button', { name: 'admin, account menu' }).waitFor();
  await send('/agents', { name: 'ada', executor: { kind: 'shell', command: ['sleep', '600'] } });
  await send('/projects', { name: 'Ledger', repo_path: place });
});

after(async () => {
  // An agent outlives its server, so it is stopped first.
  for (const task of (await read(`/projects/${(await read('/projects')).items[0].id}/tasks?phase=working`)).items) {
    await send(`/tasks/${task.id}/cancel`, {});
  }
  await browser?.close();
  await forge?.stop();
  await rm(place, { recursive: true, force: true });
});

test('a task is created and started by keyboard only', { timeout: 60_000 }, async () => {
  const { page } = browser;
  await page.goto(`${forge.origin}/projects/ledger`);
  await page.getByText('Create your first task.').waitFor();

  await page.keyboard.press('c');
  const form = page.getByRole('form', { name: 'New task' });
  await form.waitFor();
  await page.keyboard.type('Round VAT per line');
  // What was typed survives closing the dialog.
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  await page.keyboard.press('c');
  assert.equal(await form.getByLabel('Title').inputValue(), 'Round VAT per line');
  await form.getByLabel('Agent').focus();
  await page.keyboard.type('ada');
  await page.keyboard.press('Control+Enter');

  const working = page.getByRole('region', { name: 'Working', exact: true });
  await working.getByText('Round VAT per line').waitFor();
  await working.getByText('ada works on it').waitFor();

  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${forge.origin}/projects/ledger/T-1`);
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.getByRole('region', { name: 'Working' }).getByText('Round VAT per line').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Command palette').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search tasks, pages and actions').fill('T-1');
  await page.getByRole('option', { name: 'T-1 Round VAT per line' }).click();
  await page.waitForURL(`${forge.origin}/projects/ledger/T-1`);
});

test('a card is dragged where the workflow allows, and refused elsewhere with the reason', {
  timeout: 60_000,
}, async () => {
  const { page } = browser;
  const [project] = (await read('/projects')).items;
  const task = await send(`/projects/${project.id}/tasks`, { title: 'Index the entries' });
  await page.goto(`${forge.origin}/projects/ledger`);
  await page.getByRole('button', { name: /^Open Backlog/ }).click();
  const card = page.locator(`[data-task="${task.key}"]`);
  const review = page.getByRole('region', { name: 'Review', exact: true });
  const ready = page.getByRole('region', { name: 'Ready', exact: true });

  await dragOver(card, review);
  await page.getByText('From Backlog it can go to', { exact: false }).waitFor();
  await page.mouse.up();
  assert.equal((await read(`/tasks/${task.id}`)).status, 'backlog', 'a refused drop changes nothing');

  await dragOver(card, ready);
  await page.getByText('Move to Todo').waitFor();
  await page.mouse.up();
  await page.getByText(`${task.key} moved to Todo.`).waitFor();
  assert.equal((await read(`/tasks/${task.id}`)).status, 'todo');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('region', { name: 'Backlog', exact: true }).locator(`[data-task="${task.key}"]`).waitFor();
  assert.deepEqual(browser.errors, [], 'the console must stay clean');
});

test('several cards are chosen by keyboard and moved together', { timeout: 60_000 }, async () => {
  const { page } = browser;
  const [project] = (await read('/projects')).items;
  const tasks = [];
  for (const title of ['First of three', 'Second of three', 'Third of three']) {
    tasks.push(await send(`/projects/${project.id}/tasks`, { title }));
  }
  await page.goto(`${forge.origin}/projects/ledger?text=three`);
  await page.locator(`[data-task="${tasks[2].key}"]`).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  const bar = page.getByRole('region', { name: 'Chosen tasks' });
  await bar.getByText('1 chosen').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await bar.getByText('3 chosen').waitFor();
  await bar.getByRole('button', { name: 'Move to…' }).click();
  await page.getByRole('menuitem', { name: 'Todo' }).click();
  await page.getByText('3 moved.').waitFor();
  for (const { id } of tasks) {
    assert.equal((await read(`/tasks/${id}`)).status, 'todo');
  }
  assert.deepEqual(browser.errors, [], 'the console must stay clean');
});

/**
 * Begins to drag a card and holds it over a column.
 * @param {import('playwright-core').Locator} card
 * @param {import('playwright-core').Locator} column
 */
async function dragOver(card, column) {
  const { page } = browser;
  await card.hover();
  await page.mouse.down();
  const box = await column.boundingBox();
  assert.ok(box !== null, 'the column must be visible');
  // The browser drops moves while a drag begins, so the last place is reached slowly.
  for (const offset of [0, 1, 2, 3, 4, 5, 6, 7]) {
    await page.mouse.move(box.x + 10 + offset, box.y + 90 + offset);
    await page.waitForTimeout(60);
  }
}

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
