import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './build.ts';

const DETECTOR = `import * as option from '../../option-kinds.ts';
import { defineDetector } from '../detector.ts';

interface State {
  count: number;
  since: number;
}

export const NAME_AS_CODE = defineDetector({
  name: 'NAME',
  status: 'trial',
  watches: ['call-finished'],
  rungs: { first: 'note', highest: 'note' },
  options: { threshold: option.integer(3, { from: 2 }, 'TODO: what it counts, in one sentence.') },
  start: (): State => ({ count: 0, since: 0 }),

  step(state, seen, { threshold }) {
    const { call, result } = seen;
    if (!call || !result) return null;
    // TODO: did it repeat, and did the repeats bring anything?
    state.count = seen.progress ? 1 : state.count + 1;
    if (state.count === 1) state.since = seen.step;
    if (state.count < threshold) return null;
    const { count, since } = state;
    return { variant: 'repeated', count, since, keys: ['NAME'], strength: 0.5, facts: { call: call.label } };
  },

  explain: ({ count, facts }) => \`todo: \\\`\${facts.call}\\\` was seen \${count} times\`,
  moves: ['todo: a concrete next move', 'todo: another one'],
});
`;

const README = `# NAME

## What it sees

TODO: one sentence.

## Why it hurts

TODO

## Fires

\`\`\`trace TODO-thrice
lookup {"id":7} -> "the same answer" x3 ! repeated
\`\`\`

\`\`\`trace TODO-more-often
lookup {"id":7} -> "the same answer" x3 ! repeated
lookup {"id":7} -> "the same answer" ! repeated
\`\`\`

## Stays quiet

\`\`\`trace TODO-twice twin of TODO-thrice
lookup {"id":7} -> "the same answer" x2
\`\`\`

\`\`\`trace TODO-the-user-spoke twin of TODO-thrice
lookup {"id":7} -> "the same answer" x2
user "And now?"
lookup {"id":7} -> "the same answer" x2
\`\`\`

\`\`\`trace TODO-new-answers twin of TODO-more-often
lookup {"id":7} -> "the same answer"
lookup {"id":8} -> "an answer that tells something else"
lookup {"id":9} -> "a third one with news of its own"
\`\`\`

## When it is wrong

TODO: false alarms, and misses.

## Options

| option | default | what it is | why this number |
|---|---|---|---|
| \`threshold\` | \`3\` | TODO: what it counts, in one sentence. | TODO |
`;

/** The files of a detector that runs, with a TODO wherever its author has something to say. */
export function newDetector(name: string): { 'detector.ts': string; 'README.md': string } {
  const code = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const filled = (text: string): string =>
    text.replaceAll('NAME_AS_CODE', code).replaceAll('NAME', name);
  return { 'detector.ts': filled(DETECTOR), 'README.md': filled(README) };
}

/** Adds a row to the table of detectors, in alphabetical order. */
export function withRow(readme: string, name: string): string {
  const lines = readme.split('\n');
  const nameIn = (line: string): string | undefined =>
    /^\| \[`([\w-]+)`\]\(\.\.\/packages\/engine\/src\/detectors\//.exec(line)?.[1];
  const rows = lines.flatMap((line, i) => (nameIn(line) === undefined ? [] : [i]));
  if (rows.length === 0) return readme;
  const after = rows.filter((i) => nameIn(lines[i]!)! < name).at(-1) ?? rows[0]! - 1;
  lines.splice(
    after + 1,
    0,
    `| [\`${name}\`](../packages/engine/src/detectors/${name}/README.md) | TODO (on trial) |`,
  );
  return lines.join('\n');
}

function write(name: string): void {
  const folder = join(root, 'packages/engine/src/detectors', name);
  if (!/^[a-z]+(?:-[a-z]+)*$/.test(name))
    throw new Error(
      `Expected a name in kebab-case for what is seen, such as long-silence, got "${name}".`,
    );
  if (existsSync(folder))
    throw new Error(`There is already a detector ${name}. Choose another name.`);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(newDetector(name)))
    writeFileSync(join(folder, file), text);
  const readme = join(root, 'docs/detectors.md');
  writeFileSync(readme, withRow(readFileSync(readme, 'utf8'), name));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const name = process.argv[2] ?? '';
    write(name);
    console.log(
      `Wrote packages/engine/src/detectors/${name} and a row in docs/detectors.md. Run npm run format, then write what is marked TODO.`,
    );
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
