import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { configSchema, type Describe } from '../src/config/schema.ts';
import { root } from './build.ts';

/** The schema that is shipped: the one that configs are checked with, in the words of the READMEs. */
export function makeSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'unrut.config.json',
    description: 'Settings of Unrut, which notices when an AI agent is going round in circles.',
    ...configSchema(describe),
  };
}

/** The file that is shipped. */
export const schemaFile: string = join(root, 'unrut.schema.json');

/** A piece in the first sentence of its README, an option in the reason for its number. */
const describe: Describe = (kind, name, option) => {
  const readme = readFileSync(join(root, 'src', kind, name, 'README.md'), 'utf8');
  const sentence = /^## What it (?:sees|does)\s+(.*?[.:])(?:\s|$)/ms.exec(readme)?.[1];
  const words = option === undefined ? sentence : readme.match(new RegExp(`^\\| \`?${option}\`? \\|[^|]*\\| (.*) \\|$`, 'm'))?.[1];
  return words && `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace(/\s+/g, ' ').replace(/[.:]?$/, '.');
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(schemaFile, `${JSON.stringify(makeSchema(), null, 2)}\n`);
  console.log('Wrote unrut.schema.json.');
}
