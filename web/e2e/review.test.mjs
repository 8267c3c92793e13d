// S-5: what an agent did is read in the conversation, the diff, the checks and the journal.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

import { openBrowser } from './browser.mjs';
import { startForge } from './forge.mjs';

const AGENT = `
printf 'fn main() {\\n    fetch(id);\\n\\tsame();\\n}\\n' > src/main.rs
git mv docs/old.md docs/new.md
echo '<script>window.wasRun = 1</script>' > src/notes.html
printf '\\033[32mready\\033[0m\\n'
git add --all
git -c user.name=A -c user.email=a@localhost commit --quiet --message Work
`;

/** Prints its prompt, so that the page shows what it was told. */
const READER = `
cat "$FORGE_PROMPT_FILE"
printf 'one\\ntwo\\nthree\\n' > read.txt
git add --all
git -c user.name=B -c user.email=b@localhost commit --quiet --allow-empty --message Read
`;

/** @type {Awaited<ReturnType<typeof startForge>>} */
let forge;
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let browser;
/** @type {string} */
let place;
/** @type {{ id: string }} */
let project;

before(async () => {
  place = await mkdtemp(join(tmpdir(), 'forge-e2e-repo-'));
  const git = (/** @type {string[]} */ ...words) => promisify(execFile)('git', ['-C', place, ...words]);
  await git('init', '--quiet', '--initial-branch', 'main');
  await Promise.all(['src', 'docs'].map((name) => mkdir(join(place, name))));
  await writeFile(join(place, 'src/main.rs'), 'fn main() {\n    get(id);\n    same();\n}\n');
  await writeFile(join(place, 'docs/old.md'), '# Title\n\nText of several words.\n');
  await git('add', '--all');
  await git('-c', 'user.name=A', '-c', 'user.email=a@localhost', 'commit', '--quiet', '-m', 'Begin');
  forge = await startForge();
  browser = await openBrowser();
  const { page } = browser;
  await page.goto(forge.link);
  await page.getByRole('button', { name: 'Go on without a password' }).click();
  await page.getByRole('button', { name: 'Sign in without a password' }).click();
  await page.getByRole('button', { name: 'admin, account menu' }).waitFor();
});

after(async () => {
  await browser?.close();
  await forge?.stop();
  await rm(place, { recursive: true, force: true });
});

test('the work of an agent is reviewed by keyboard', { timeout: 90_000 }, async () => {
  const { page } = browser;
  const agent = await send('/agents', { name: 'ada', executor: { kind: 'shell', command: ['sh', '-c', AGENT] } });
  const review = { ci_steps: ['echo formatted', 'echo error: nothing works; exit 3', 'echo unreached'] };
  project = await send('/projects', {
    name: 'Ledger',
    repo_path: place,
    settings: { default_review_config: review },
  });
  const task = await send(`/projects/${project.id}/tasks`, { title: 'Fetch', description: 'Use *fetch*.' });
  await send(`/tasks/${task.id}/claim`, { agent_id: agent.id });

  await page.goto(`${forge.origin}/projects/ledger/T-1`);
  await page.getByRole('log').getByText('ready').first().waitFor();
  await page.getByText('Checks, attempt 1').waitFor();

  await page.keyboard.press('2');
  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByText('fetch', { exact: true }).waitFor();
  const files = page.getByRole('navigation', { name: 'Changed files' });
  await files.getByRole('button', { name: 'new.md' }).waitFor();
  await changes.getByText('Renamed from docs/old.md').waitFor();
  await changes.getByText('Renamed without other changes.').waitFor();
  assert.equal(await changes.getByText('same();').count(), 2, 'whitespace is a change at first');
  await page.keyboard.press('u');
  await page.keyboard.press('w');
  await page.getByRole('button', { name: 'Whitespace: hidden' }).waitFor();
  assert.equal(await changes.getByText('same();').count(), 1, 'one line for both versions that differ in whitespace');
  await page.keyboard.press('t');
  await page.keyboard.type('notes');
  await files.getByRole('button', { name: 'main.rs' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await changes.getByText('window', { exact: false }).first().waitFor();
  assert.equal(await page.evaluate('window.wasRun'), undefined, 'text of an agent never runs');

  await page.goto(`${forge.origin}/projects/ledger/T-1/checks?attempt=1`);
  const attempt = page.getByRole('region', { name: 'Attempt 1' });
  await attempt.getByText('exit 3', { exact: true }).waitFor();
  await attempt
    .getByRole('region', { name: /^Output of/ })
    .getByText('nothing works')
    .waitFor();
  await attempt.getByText('skipped').waitFor();

  await page.goto(`${forge.origin}/projects/ledger/T-1/journal`);
  await page.getByRole('list', { name: 'Journal' }).getByText('Execution ended').first().waitFor();
  await page.getByRole('radio', { name: 'Start' }).click();
  await page.getByRole('region', { name: 'Changes' }).getByText('Renamed from docs/old.md').waitFor();

  assert.deepEqual(browser.errors, [], 'the console must stay clean');
  const foreign = browser.requests.filter((address) => new URL(address).origin !== forge.origin);
  assert.deepEqual(foreign, [], 'no request may leave the server');
});

test('comments on lines reach the next prompt of the agent as one review', { timeout: 90_000 }, async () => {
  const { page } = browser;
  const agent = await send('/agents', { name: 'ben', executor: { kind: 'shell', command: ['sh', '-c', READER] } });
  const task = await send(`/projects/${project.id}/tasks`, { title: 'Read', review_config: { ci_steps: [] } });
  await send(`/tasks/${task.id}/claim`, { agent_id: agent.id });
  await page.goto(`${forge.origin}/projects/ledger/T-2/diff`);
  await page.getByRole('button', { name: 'Approve and land' }).waitFor();

  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByRole('button', { name: '2, comment on this line' }).click();
  await changes.getByRole('button', { name: '3, comment on this line' }).click({ modifiers: ['Shift'] });
  await page.getByRole('form', { name: 'Comment on lines 2–3' }).getByLabel('Comment').fill('Handle the failure.');
  await page.keyboard.press('Control+Enter');
  await changes.getByRole('article', { name: 'Comment on lines 2–3' }).waitFor();
  await changes.focus();
  await page.keyboard.press('c');
  await page.getByRole('form', { name: 'Comment on line 1' }).getByLabel('Comment').fill('Name it better.');
  await page.getByRole('button', { name: 'Add to review' }).click();

  // What is not sent survives reloading the page.
  await page.reload();
  await page.getByRole('button', { name: 'Send review, 2' }).click();
  await page.getByText('Review with 2 comments sent.').waitFor();
  await page.goto(`${forge.origin}/projects/ledger/T-2`);
  await page.getByRole('log').getByText('read.txt, lines 2–3:').first().waitFor();
  await page.getByRole('log').getByText('Name it better.').first().waitFor();
  assert.deepEqual(browser.errors, [], 'the console must stay clean');
});

/**
 * @param {string} path
 * @param {object} body
 */
async function send(path, body) {
  const answer = await browser.page.request.post(`${forge.origin}/api/v1${path}`, {
    data: body,
    headers: { origin: forge.origin },
  });
  assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}
