import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const server = process.env['FORGE_URL'] ?? 'http://127.0.0.1:8080';

// The server answers only its own page, so the development page has to look like it.
const proxy = { '/api': { target: server, changeOrigin: true, headers: { origin: server } } };

export default defineConfig({
  plugins: [react()],
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
