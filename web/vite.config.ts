import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  build: {
    // The server's content security policy allows files of its own only, so nothing becomes a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { '/api': { target: process.env['FORGE_URL'] ?? 'http://127.0.0.1:8080' } },
  },
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
  },
});
