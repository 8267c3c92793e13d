// S-5: axe finds nothing on any screen, light or dark, on a desktop or a phone.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';

import { startScene } from '../scene.mjs';
import { SCREENS } from '../screens.mjs';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** @type {Awaited<ReturnType<typeof startScene>>} */
let scene;

before(async () => {
  scene = await startScene();
});

after(async () => {
  await scene?.close();
});

for (const theme of ['light', 'dark']) {
  for (const size of SIZES) {
    test(`axe finds nothing, ${theme} at ${size.width}`, { timeout: 240_000 }, async () => {
      const { page } = scene.browser;
      await page.evaluate((chosen) => localStorage.setItem('forge.theme', chosen), theme);
      await page.setViewportSize(size);
      /** @type {string[]} */
      const found = [];
      for (const screen of SCREENS) {
        await page.goto(`${scene.forge.origin}${screen.path}`);
        await screen.ready(page);
        found.push(...(await violations(page)).map((violation) => `${screen.name}: ${violation}`));
      }
      assert.deepEqual(found, []);
      assert.deepEqual(scene.browser.errors, [], 'the console must stay clean');
    });
  }
}

/** @param {import('playwright-core').Page} page */
async function violations(page) {
  // The policy of the page allows no script tag, so it is evaluated.
  const { readFile } = await import('node:fs/promises');
  await page.evaluate(await readFile(AXE, 'utf8'));
  /** @type {{ id: string, help: string, nodes: { target: unknown, failureSummary?: string }[] }[]} */
  const found = await page.evaluate('axe.run().then(({ violations }) => violations)');
  return found.map(
    ({ id, help, nodes }) =>
      `${id} (${help}) at ${nodes
        .slice(0, 3)
        .map(({ target }) => String(target))
        .join('; ')}`,
  );
}
