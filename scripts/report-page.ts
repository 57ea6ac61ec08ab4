import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const hash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The page of reports without a report: one file with the dashboard's components and their style in
 * it. Vite is loaded only here.
 */
export async function buildReportPage(): Promise<string> {
  const { build } = await import('vite');
  const root = fileURLToPath(new URL('../packages/dashboard', import.meta.url));
  const built = await build({
    root,
    logLevel: 'warn',
    build: { write: false, rolldownOptions: { input: `${root}/report.html` } },
  });
  if (!('output' in built)) throw new Error('vite: expected one build');
  const parts = new Map(
    built.output.map((part) => [
      part.fileName,
      part.type === 'chunk' ? part.code : String(part.source),
    ]),
  );
  const ending = (end: string): string =>
    [...parts].find(([name]) => name.endsWith(end))?.[1] ?? '';
  const [style, script] = [
    ending('.css').trim(),
    ending('.js').trim().replaceAll('</script', '<\\/script'),
  ];
  // Nothing is loaded but pictures in the file or next to it, and only this style and this script
  // are used: a text that escapes its place can do nothing.
  const policy = `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; img-src 'self' file: data:; base-uri 'none'; form-action 'none'`;
  return ending('.html')
    .replace(/\s*<link rel="stylesheet"[^>]*>/, () => `\n    <style>${style}</style>`)
    .replace(/\s*<script type="module"[^>]*><\/script>/, '')
    .replace(
      '<!--policy-->',
      () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    )
    .replace('</body>', () => `<script type="module">${script}</script>\n  </body>`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(await buildReportPage());
