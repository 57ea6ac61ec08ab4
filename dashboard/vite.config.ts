import { defineConfig, type Plugin } from 'vite';
import { PALETTE } from '../src/report/html/palette.ts';
import { LOOP_STYLE } from '../src/report/html/style-loop.ts';
import { TIMELINE_STYLE } from '../src/report/html/style-timeline.ts';

const NAME = 'virtual:report.css';
const ID = '\0report.css';

/** The scan report's colours, signs and tables as a style sheet, so that both pages look alike. */
const reportStyle = (): Plugin => ({
  name: 'report-style',
  resolveId: (id) => (id === NAME ? ID : null),
  load: (id) => (id === ID ? PALETTE + TIMELINE_STYLE + LOOP_STYLE : null),
});

export default defineConfig({
  plugins: [reportStyle()],
  // Else NODE_ENV would decide, and a page for developers names the folders of the machine that it was built on.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    // An inlined file would need a wider policy of what the page may load.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The first that know light-dark().
    target: ['chrome123', 'firefox120', 'safari17.5'],
  },
  // `npx vite dashboard` while working on the page, beside `npm run unrut serve`.
  server: { proxy: { '/v1': { target: 'http://127.0.0.1:4717', changeOrigin: true } } },
});
