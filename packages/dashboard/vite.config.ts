import { defineConfig } from 'vite';

export default defineConfig({
  // Else NODE_ENV would decide, and a page for developers names the folders of the machine that it
  // was built on.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    // An inlined file would need a wider policy of what the page may load.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The first that know light-dark().
    target: ['chrome123', 'firefox120', 'safari17.5'],
  },
  // `npx vite packages/dashboard` while working on the page, next to `npm run unrut serve`.
  server: { proxy: { '/v1': { target: 'http://127.0.0.1:4717', changeOrigin: true } } },
});
