import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Declared } from '@unrut/engine/option';
import { root } from './build.ts';

const indexFile = join(root, 'packages/engine/src/detectors/index.ts');

const camelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The detectors' index with an import and an item for each folder; the rest of it is written by
 * hand.
 */
export function withFolders(index: string, folders: readonly string[]): string {
  const imports = folders.map(
    (name) => `import { ${camelCase(name)} } from './${name}/detector.ts';\n`,
  );
  const items = folders.map((name) => `  ${camelCase(name)},\n`);
  return index
    .replaceAll(/^import \{ \w+ \} from '\.\/[\w-]+\/detector\.ts';\n/gm, '')
    .replace(/^/, imports.join(''))
    .replace(/^(export const detectors = \[\n).*?^\]/ms, `$1${items.join('')}]`)
    .replace(/^(export \{\n).*?^\}/ms, `$1${items.join('')}}`);
}

/**
 * A README whose table of options has the names, defaults and meanings that the code declares. The
 * reason for a default is kept until that changes.
 */
export function withOptionTable(readme: string, declared: Declared): string {
  const [before, section = ''] = readme.split(/^(?=## Options$)/m);
  const reasons = new Map(
    section.split('\n').flatMap((line) => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      const [, name = '', value = ''] = cells.map((cell) => cell.replaceAll('`', ''));
      return cells.length > 3 ? [[name, { value, reason: cells.at(-2)! }] as const] : [];
    }),
  );
  const reasonFor = (name: string, value: string): string => {
    const known = reasons.get(name);
    if (known === undefined) return 'TODO';
    return known.value === value ? known.reason : `TODO (of \`${known.value}\`): ${known.reason}`;
  };
  const rows = Object.entries(declared).map(([name, { default: given, about }]) => {
    const value = JSON.stringify(given);
    return `| \`${name}\` | \`${value}\` | ${about.replaceAll('|', '\\|')} | ${reasonFor(name, value)} |`;
  });
  const table = [
    '| option | default | what it is | why this number |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
  return `${before}## Options\n\n${rows.length > 0 ? table : 'None.'}\n`;
}

/** Writes all that is generated: the detectors' index, the tables of options in the READMEs, the schemas of configs and of what is printed. */
async function generate(): Promise<void> {
  const folders = readdirSync(join(root, 'packages/engine/src/detectors'), {
    withFileTypes: true,
  }).filter((entry) => entry.isDirectory());
  writeFileSync(
    indexFile,
    withFolders(readFileSync(indexFile, 'utf8'), folders.map(({ name }) => name).sort()),
  );
  const { recommended } = await import('@unrut/engine/presets');
  for (const kind of ['detectors', 'recoveries'] as const) {
    for (const { name, declared } of recommended[kind]) {
      const file = join(root, 'packages/engine/src', kind, name, 'README.md');
      writeFileSync(file, withOptionTable(readFileSync(file, 'utf8'), declared));
    }
  }
  const { generatedFiles } = await import('./generate-hosts.ts');
  for (const [file, text] of generatedFiles()) writeFileSync(join(root, file), text);
  const { makeMessages, messagesFile } = await import('./messages.ts');
  writeFileSync(messagesFile, makeMessages());
  const { incidentsFile, makeIncidentsPage } = await import('./incidents-page.ts');
  writeFileSync(incidentsFile, makeIncidentsPage());
  const { apiReferenceFile, makeApiReference } = await import('./api-reference.ts');
  writeFileSync(apiReferenceFile, makeApiReference());
  const { forceFile, withForceTable } = await import('./force-table.ts');
  writeFileSync(forceFile, withForceTable());
  const { ladderFile, withLadder } = await import('./ladder-page.ts');
  writeFileSync(ladderFile, withLadder());
  const { makeLadderPicture, pictureFile } = await import('./ladder-picture.ts');
  writeFileSync(pictureFile, makeLadderPicture());
  const { DECISION_FOLDERS, withDecisions } = await import('./decisions-index.ts');
  for (const folder of DECISION_FOLDERS)
    writeFileSync(join(root, folder, 'README.md'), withDecisions(folder));
  const { makeSchema, schemaFile } = await import('./schema.ts');
  writeFileSync(schemaFile, `${JSON.stringify(makeSchema(), null, 2)}\n`);
  const { makeOutputSchema, outputSchemaFile } = await import('./output-schema.ts');
  writeFileSync(outputSchemaFile, `${JSON.stringify(makeOutputSchema(), null, 2)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await generate();
