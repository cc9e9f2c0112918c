// How the console is built and served while it is developed: one place, so that both are the same program.
import path from 'node:path';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const SOURCE = path.join(ROOT, 'hq/console');
export const BUILT = path.join(ROOT, 'dist/console');
export const CLIENT = path.join(ROOT, 'dist/client');

/** Parts that are loaded by themselves, of which so many need a module. */
const SHARED_BY = 30;

/** Without a file of settings: nothing but this says how the console is built. */
export const settings: InlineConfig = {
  configFile: false,
  root: SOURCE,
  base: '/',
  publicDir: path.join(SOURCE, 'public'),
  cacheDir: path.join(ROOT, 'node_modules/.cache/vite-console'),
  plugins: [react()],
  resolve: { alias: { '@fieldline/client': path.join(CLIENT, 'index.js') } },
  build: {
    target: 'es2022',
    outDir: BUILT,
    emptyOutDir: true,
    assetsDir: 'assets',
    // A picture in the text of a script would be one that no cache keeps by itself.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    rollupOptions: {
      input: { index: path.join(SOURCE, 'index.html'), worker: path.join(SOURCE, 'worker/worker.ts') },
      output: {
        // What nearly every screen shares comes in one file instead of twenty: it packs better, and each file
        // has its headers. A lower number brings into the first page what only lists and forms need.
        codeSplitting: { groups: [{ name: 'shared', minShareCount: SHARED_BY }] },
        // Browsers look for a newer service worker under the name of the one that they have.
        entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  logLevel: 'warn',
};
