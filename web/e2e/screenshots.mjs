// Pictures of every screen, light and dark, on a desktop and on a phone.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { startScene } from './scene.mjs';
import { SCREENS } from './screens.mjs';

const SIZES = [
  { name: '1440', viewport: { width: 1440, height: 900 } },
  { name: '390', viewport: { width: 390, height: 844 } },
];
const folder = process.argv[2] ?? 'test-results/screenshots';
const only = process.argv[3];

const scene = await startScene();
try {
  const { page } = scene.browser;
  await mkdir(folder, { recursive: true });
  for (const theme of ['light', 'dark']) {
    await page.evaluate((chosen) => localStorage.setItem('forge.theme', chosen), theme);
    for (const { name, viewport } of SIZES) {
      await page.setViewportSize(viewport);
      for (const screen of SCREENS.filter((one) => only === undefined || one.name.includes(only))) {
        await page.goto(`${scene.forge.origin}${screen.path}`);
        await screen.ready(page);
        await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
        await page.screenshot({ path: join(folder, `${screen.name}-${theme}-${name}.png`) });
      }
    }
  }
  for (const error of scene.browser.errors) {
    console.error(error);
  }
  console.log(`${SCREENS.length} screens in ${folder}`);
} finally {
  await scene.close();
}
