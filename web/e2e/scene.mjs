// A project in the middle of its day: work that landed, waits, failed, conflicts and runs. Screenshots and axe look at it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { openBrowser } from './browser.mjs';
import { startForge } from './forge.mjs';

const SETTLE_MS = 90_000;

const FILES = {
  'src/http/router.rs': `use crate::limits::RateLimit;

pub fn public_routes(state: AppState) -> Router {
    Router::new()
        .route("/v1/transfers", post(transfers::create))
        .route("/v1/invoices", get(invoices::list))
        .layer(TraceLayer::new_for_http())
        .with_state(state)
}
`,
  'src/billing/total.rs': `/// Sum of all lines, in cents.
pub fn total(lines: &[Line]) -> i64 {
    lines.iter().map(|line| line.amount).sum()
}
`,
  'src/session/store.rs': `impl SessionStore {
    pub async fn load(&self, id: SessionId) -> Result<Session, StoreError> {
        self.rows.get(id).await
    }
}
`,
  'docs/limits.md': '# Limits\n\nEvery key may send 60 requests.\n',
  'README.md': '# ledger-api\n\nAccounts, invoices and payouts.\n',
};

/** What each agent of the scene does in its worktree, by the task's title. */
const WORK = {
  'Add rate limiting to the public API': `
cat > src/limits.rs <<'END'
/// Token bucket of one API key.
pub struct Bucket {
    tokens: f64,
    refilled_at: Instant,
}

impl Bucket {
    pub fn take(&mut self, now: Instant) -> Result<(), Wait> {
        self.refill(now);
        if self.tokens < 1.0 {
            return Err(Wait::until(self.refilled_at));
        }
        self.tokens -= 1.0;
        Ok(())
    }
}
END
sed -i 's|    Router::new()|    let limits = RateLimit::from(\\&state.config);\\n    Router::new()|; s|TraceLayer::new_for_http()|limits.layer()|' src/http/router.rs
echo 'Over the limit the server answers 429 with Retry-After.' >> docs/limits.md
echo 'Every API key now has a token bucket of 60 requests.'`,
  'Move invoice totals to decimal': `sed -i 's/-> i64/-> Decimal/; s/, in cents/, as a decimal/' src/billing/total.rs; echo 'Totals are decimals now.'`,
  'Round VAT per line, not per invoice': `sed -i 's/line.amount/line.amount + line.vat()/; s/Sum of all lines/Sum of all rounded lines/; s/-> i64/-> Cents/' src/billing/total.rs; echo 'VAT is rounded per line.'`,
  'Stream CSV exports instead of buffering': `mkdir -p src/export; printf 'pub fn stream() {\\n    todo()\\n}\\n' > src/export/csv.rs; echo broken > BROKEN; echo 'Rows are written as they come.'`,
  'Explain idempotency keys': `printf '# Idempotency\\n\\nSend the same key twice and the second answer is the first.\\n' > docs/idempotency.md; echo 'One page in docs.'`,
  'Name every job in the logs': `printf 'pub const NAME: &str = "payouts";\\n' > src/jobs.rs; echo 'Jobs have names.'`,
};

/** Starts a server with the scene on it, and a browser that is signed in. */
export async function startScene() {
  const place = join(await mkdtemp(join(tmpdir(), 'forge-scene-')), 'ledger-api');
  await writeRepository(place);
  const forge = await startForge();
  const browser = await openBrowser();
  const close = async () => {
    for (const { task_id } of (await read('/agents/check')).running) {
      await send(`/tasks/${task_id}/cancel`, {});
    }
    await browser.close();
    await forge.stop();
    await rm(join(place, '..'), { recursive: true, force: true });
  };

  /** @param {string} path @param {unknown} data */
  async function send(path, data, method = 'POST') {
    const headers = { origin: forge.origin };
    const answer = await browser.page.request.fetch(`${forge.origin}/api/v1${path}`, { method, data, headers });
    assert.ok(answer.ok(), `${path}: ${await answer.text()}`);
    return answer.json();
  }

  /** @param {string} path */
  async function read(path) {
    const answer = await browser.page.request.get(`${forge.origin}/api/v1${path}`);
    assert.ok(answer.ok(), `${path}: ${await answer.text()}`);
    return answer.json();
  }

  try {
    await signIn(browser.page, forge.link);
    await fill({ place, page: browser.page, origin: forge.origin, send });
  } catch (error) {
    await close();
    throw error;
  }
  return { forge, browser, place, send, read, close };
}

/** @param {import('playwright-core').Page} page @param {string} link */
export async function signIn(page, link) {
  await page.goto(link);
  await page.getByRole('button', { name: 'Go on without a password' }).click();
  await page.getByRole('button', { name: 'Sign in without a password' }).click();
  await page.getByRole('button', { name: 'admin, account menu' }).waitFor();
}

/** @param {string} place */
async function writeRepository(place) {
  const git = (/** @type {string[]} */ ...words) => promisify(execFile)('git', ['-C', place, ...words]);
  await mkdir(place, { recursive: true });
  await git('init', '--quiet', '--initial-branch', 'main');
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(join(place, name, '..'), { recursive: true });
    await writeFile(join(place, name), text);
  }
  await git('add', '--all');
  await git('-c', 'user.name=A', '-c', 'user.email=a@localhost', 'commit', '--quiet', '-m', 'Begin');
}

/**
 * @typedef {{
 *   place: string,
 *   page: import('playwright-core').Page,
 *   origin: string,
 *   send: (path: string, data: unknown, method?: string) => Promise<any>,
 * }} SceneTools
 */

/** @param {SceneTools} tools */
async function fill({ place, page, origin, send }) {
  const agent = (/** @type {string} */ name, /** @type {string} */ script, /** @type {object} */ more = {}) =>
    send('/agents', { name, executor: { kind: 'shell', command: ['sh', '-c', script] }, ...more });
  const commit =
    'git add --all; git -c user.name=A -c user.email=a@localhost commit --quiet --allow-empty --message Work';
  const working = await agent('ada', `echo 'Reading src/session/store.rs'; sleep 900`, { max_concurrent: 3 });
  const workers = new Map();
  for (const [index, [title, script]] of Object.entries(WORK).entries()) {
    workers.set(
      title,
      await agent(['ben', 'cleo', 'dan', 'eve', 'finn', 'gus'][index] ?? title, `${script}\n${commit}`),
    );
  }
  const checks = [
    "printf 'format ok\\n'",
    "printf 'test billing::total ... ok\\ntest export::csv ... ok\\n'; test ! -e BROKEN || { printf 'error: test export::csv::streams_10m_rows failed\\n'; exit 101; }",
  ];
  const project = await send('/projects', {
    name: 'ledger-api',
    repo_path: place,
    settings: { default_review_config: { ci_steps: checks }, budget: { cost_micro_usd: 50_000_000, tokens: null } },
  });
  await send('/projects', { name: 'storefront' });

  const create = (/** @type {string} */ title, /** @type {object} */ more = {}) =>
    send(`/projects/${project.id}/tasks`, {
      title,
      description: `${title}.\n\nKeep the public API as it is.`,
      ...more,
    });
  const move = (/** @type {{id: string}} */ { id }, /** @type {string} */ status) =>
    send(`/tasks/${id}/transition`, { status });
  /** @param {string} title */
  const run = async (title) => {
    const task = await create(title, { labels: [title.includes('invoice') ? 'billing' : 'api'], priority: 2 });
    await send(`/tasks/${task.id}/claim`, { agent_id: workers.get(title).id });
    return task;
  };
  /** Waits until the task's page shows what it means. @param {{key: string}} task @param {RegExp} label */
  const until = async ({ key }, label) => {
    await page.goto(`${origin}/projects/ledger-api/${key}`);
    const status = page.getByRole('status', { name: 'Status' });
    await status.filter({ hasText: label }).waitFor({ timeout: SETTLE_MS });
  };

  for (const title of ['Explain idempotency keys', 'Name every job in the logs']) {
    const task = await run(title);
    await until(task, /Ready to land/);
    await move(task, 'merging');
    await until(task, /Landed/);
  }
  // One after the other, so that each always has the same key.
  const limits = await run('Add rate limiting to the public API');
  const totals = await run('Move invoice totals to decimal');
  const vat = await run('Round VAT per line, not per invoice');
  const csv = await run('Stream CSV exports instead of buffering');
  for (const task of [limits, totals, vat]) {
    await until(task, /Ready to land/);
  }
  await until(csv, /failed|attempts/i);
  const sessions = await create('Expire idle sessions after 30 minutes', { priority: 3 });
  await send(`/tasks/${sessions.id}/claim`, { agent_id: working.id });
  await until(sessions, /Working/);
  for (const title of [
    'Paginate GET /v1/invoices',
    'Log request ids in background jobs',
    'Return 404 instead of 500 for unknown currencies',
  ]) {
    await move(await create(title, { labels: ['api'] }), 'todo');
  }
  const drop = await create('Drop the unused legacy_rates table', { dependencies: [vat.id], labels: ['database'] });
  await move(drop, 'todo');
  for (const title of ['Upgrade sqlx', 'Document the idempotency header', 'Cache exchange rates for one hour']) {
    await create(title);
  }
}
