import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const GENERATED = `${root}biome.layers.json`;
/** Folders with files that need `node:*` although their layer does not. */
const DRIVERS = ['ledger/sqlite', 'ledger/postgres', 'ledger/postgres/organisation'];
/** Layers above this one are programs for Node. */
const LOWEST_ON_NODE = 'config/';
/** Layers that run where Node does not, although they lie above it. */
const ANYWHERE = ['frameworks/', 'client/'];
const MAX_DEPTH = 3;

/** The parts of `src`, from the top of ARCHITECTURE.md's table to its bottom; folders end in a slash. */
export function readLayers(architecture: string): string[][] {
  const [, table] = /```layers\n(.*?)```/s.exec(architecture) ?? [];
  if (!table) throw new Error('ARCHITECTURE.md: expected a ```layers block, found none.');
  return table
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean)
    .map((line) => line.split(/\s+/));
}

/** What `part` may not import: everything above it, and what stands to its left. */
function above(layers: readonly string[][], part: string): string[] {
  const line = layers.findIndex((each) => each.includes(part));
  return [...layers.slice(0, line).flat(), ...layers[line]!.slice(0, layers[line]!.indexOf(part))];
}

function override(includes: string, group: readonly string[], message: string) {
  const options = { patterns: [{ group, message }] };
  return {
    includes: [includes, '!**/*.test.ts'],
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options } } } },
  };
}

/** Biome's rules for the imports of every part: one for each depth, since a specifier is relative. */
export function layerRules(layers: readonly string[][]): { overrides: object[] } {
  const onNode = layers.findIndex((line) => line.includes(LOWEST_ON_NODE));
  const overrides = layers.flatMap((line, y) =>
    line.flatMap((part, x) => {
      const isFolder = part.endsWith('/');
      const forbidden = above(layers, part);
      const isPlain = ANYWHERE.includes(part) || y > onNode || (y === onNode && x > line.indexOf(LOWEST_ON_NODE));
      const message = `${part} may import only what stands below it, or to its right, in the layers of ARCHITECTURE.md${isPlain ? ', and no node:*' : ''}.`;
      return Array.from({ length: isFolder ? MAX_DEPTH : 1 }, (_, depth) => {
        const up = isFolder ? '../'.repeat(depth + 1) : './';
        const includes = isFolder ? `src/${part}${'*/'.repeat(depth)}*.ts` : `src/${part}`;
        const group = forbidden.map((each) => `${up}${each}${each.endsWith('/') ? '**' : ''}`);
        return override(includes, isPlain ? [...group, 'node:*'] : group, message);
      }).filter(({ linter }) => linter.rules.style.noRestrictedImports.options.patterns[0]!.group.length > 0);
    }),
  );
  const drivers = DRIVERS.map((folder) => {
    const forbidden = above(layers, `${folder.split('/')[0]}/`);
    const group = forbidden.map((each) => `${'../'.repeat(folder.split('/').length)}${each}${each.endsWith('/') ? '**' : ''}`);
    return override(`src/${folder}/*.ts`, group, `${folder}/ may import only what stands below it in the layers of ARCHITECTURE.md.`);
  });
  return { overrides: [...overrides, ...drivers] };
}

/** Parts of `src` that the table does not name, or names in vain. */
export function strayParts(layers: readonly string[][]): string[] {
  const there = readdirSync(`${root}src`, { withFileTypes: true })
    .filter(({ name }) => !name.endsWith('.test.ts'))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  const named = layers.flat();
  return [...there.filter((part) => !named.includes(part)), ...named.filter((part) => !there.includes(part))];
}

export const readArchitecture = (): string => readFileSync(`${root}ARCHITECTURE.md`, 'utf8');
export const readRules = (): unknown => JSON.parse(readFileSync(GENERATED, 'utf8'));

/** Writes Biome's rules anew. */
export function writeLayerRules(): void {
  const { overrides } = layerRules(readLayers(readArchitecture()));
  writeFileSync(GENERATED, `{"overrides": [\n${overrides.map((each) => JSON.stringify(each)).join(',\n')}\n]}\n`);
}
