// A real Chromium with a fresh profile, which tells what a person would not see: console errors and requests.
import { access, constants, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
