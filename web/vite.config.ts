import { gzipSync } from 'node:zlib';

import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const server = process.env['FORGE_URL'] ?? 'http://127.0.0.1:8080';

// The server answers only its own page, so the development page has to look like it.
const proxy = { '/api': { target: server, changeOrigin: true, headers: { origin: server } } };

export default defineConfig({
  plugins: [react(), firstPaint()],
  build: {
    // The server's content security policy allows files of its own only, so nothing becomes a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // The worker loads each grammar by itself.
  worker: { format: 'es' },
  server: { proxy },
  preview: { proxy },
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
  },
});

/** What a browser loads before the page shows anything must stay small. */
const FIRST_PAINT_LIMIT_KB = 350;

/** Prints the gzipped size of the page, its script and styles with all that they import at once; fails above the limit. */
function firstPaint(): Plugin {
  return {
    name: 'first-paint',
    apply: 'build',
    writeBundle(_options, bundle) {
      const needed = new Set<string>();
      const add = (name: string) => {
        const file = bundle[name];
        if (file === undefined || needed.has(name)) {
          return;
        }
        needed.add(name);
        if (file.type === 'chunk') {
          file.imports.forEach(add);
          file.viteMetadata?.importedCss.forEach(add);
        }
      };
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk' && file.isEntry) {
          add(file.fileName);
        }
      }
      const bytes = [...needed, 'index.html'].reduce((sum, name) => {
        const file = bundle[name];
        const content = file?.type === 'chunk' ? file.code : (file?.source ?? '');
        return sum + gzipSync(content).length;
      }, 0);
      const kilobytes = Math.ceil(bytes / 1000);
      this.info(`first paint: ${kilobytes} kB gzipped in ${needed.size} files, at most ${FIRST_PAINT_LIMIT_KB} kB`);
      if (kilobytes > FIRST_PAINT_LIMIT_KB) {
        this.error('The first paint is too large. Load what it does not need with a lazy import.');
      }
    },
  };
}
