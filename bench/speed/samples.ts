import type { AgentEvent } from '@unrut/engine/event';

const WORDS =
  'the build reads each module and writes a bundle with its map while tests check that nothing else has changed in between'.split(
    ' ',
  );

const SYLLABLES =
  'ba ce di fo gu ka le mi no pu ra se ti vo wu za che tri plo sku ber dan fel gor lin mar nus pel'.split(
    ' ',
  );

/** Numbers that look random, the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}

/**
 * Text like a model's, which does not say the same again and again: it has thousands of words.
 * Another seed gives another text.
 */
export function prose(characters: number, seed: number): string {
  const next = numbersFrom(seed);
  const syllable = (): string => SYLLABLES[next() % SYLLABLES.length]!;
  let text = '';
  while (text.length < characters)
    text += `${syllable()}${syllable()}${next() % 3 === 0 ? syllable() : ''} `;
  return text.slice(0, characters);
}

/**
 * Text like a tool's output: log lines, code, paths, some numbers. Another seed gives another text.
 */
export function output(bytes: number, seed: number): string {
  let text = '';
  const next = numbersFrom(seed);
  for (let line = 0; text.length < bytes; line++) {
    const words = Array.from({ length: 6 + (next() % 6) }, () => WORDS[next() % WORDS.length]).join(
      ' ',
    );
    if (line % 4 === 0)
      text += `src/part${next() % 40}/module-${next() % 90}.ts:${next() % 400} ${words}\n`;
    else if (line % 4 === 1)
      text += `  const ${WORDS[next() % WORDS.length]} = ${words.replaceAll(' ', '.')}();\n`;
    else text += `${words}\n`;
  }
  return text.slice(0, bytes);
}

/** One call of a varied session: twenty tools, changing arguments, results that are mostly new. */
export function callEvents(i: number, result: string): [AgentEvent, AgentEvent] {
  const tools = ['Read', 'Grep', 'Bash', 'Edit', 'lookup_order'];
  const tool = tools[i % tools.length]!;
  const args =
    tool === 'Bash'
      ? { command: `npm test -- src/part${i % 50}.test.ts 2>&1 | tail -40`, description: 'Run it' }
      : { file_path: `/home/dev/project/src/part${i % 200}.ts`, pattern: `word${i}` };
  const made = {
    session: 's',
    at: 1_700_000_000_000 + i * 5000,
    call: { id: `c${i}`, tool, args },
  };
  return [
    { ...made, type: 'call-proposed' },
    { ...made, at: made.at + 100, type: 'call-finished', result },
  ];
}
