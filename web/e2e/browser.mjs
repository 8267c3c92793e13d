// A real Chromium with a fresh profile, which also records console errors and requests.
import { access, constants, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright-core';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser that was named, else the distribution's, else (empty) the one Playwright installed. */
async function findChromium() {
  const { FORGE_TEST_CHROMIUM, CHROMIUM } = process.env;
  const named = FORGE_TEST_CHROMIUM ?? CHROMIUM;
  if (named !== undefined) {
    return { executablePath: named };
  }
  const packaged = '/usr/bin/chromium';
  return access(packaged, constants.X_OK).then(
    () => ({ executablePath: packaged }),
    () => ({}),
  );
}

const TYPES = new Map([
  ['.css', 'text/css'],
  ['.html', 'text/html'],
  ['.js', 'text/javascript'],
  ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'],
]);

/** Paths that the server answers itself. */
const OF_SERVER = /^\/(api|docs|healthz|mcp|metrics|readyz)(\/|$)/;

/**
 * Serves the pages of a directory in place of those inside the binary, with the headers of the real server, so that a
 * change of the page can be tried without building the binary again.
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} directory
 */
async function servePages(context, directory) {
  await context.route(
    (url) => !OF_SERVER.test(url.pathname),
    async (route) => {
      const { origin, pathname } = new URL(route.request().url());
      const file = extname(pathname) === '' ? 'index.html' : pathname;
      const [body, page] = await Promise.all([readFile(join(directory, file)), route.fetch({ url: `${origin}/` })]);
      const headers = { ...page.headers(), 'content-type': TYPES.get(extname(file)) ?? 'application/octet-stream' };
      await route.fulfill({ status: 200, headers, body });
    },
  );
}

/** Opens a browser; its page, what went wrong in it and every address it asked for. */
export async function openBrowser() {
  const profile = await mkdtemp(join(tmpdir(), 'forge-chromium-'));
  const context = await chromium
    .launchPersistentContext(profile, {
      ...(await findChromium()),
      headless: true,
      args: ARGUMENTS,
      viewport: { width: 1440, height: 900 },
    })
    .catch((/** @type {Error} */ error) => {
      throw new Error('Chromium did not start. Install it, or name one in CHROMIUM.', { cause: error });
    });
  const { FORGE_TEST_PAGES } = process.env;
  if (FORGE_TEST_PAGES !== undefined) {
    await servePages(context, FORGE_TEST_PAGES);
  }
  /** @type {string[]} */
  const errors = [];
  /** @type {string[]} */
  const requests = [];
  context.on('console', (message) => {
    if (message.type() === 'error') {
      errors.push(`${message.text()} (${message.location().url})`);
    }
  });
  context.on('weberror', (error) => errors.push(String(error.error())));
  context.on('request', (request) => requests.push(request.url()));
  const page = context.pages()[0] ?? (await context.newPage());
  const close = async () => {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  };
  return { page, errors, requests, close };
}
