import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/build.ts';
import { DECISION_FOLDERS, decisionsIn, withDecisions } from '../../scripts/decisions-index.ts';

const MAX_WORDS = 600;
const SECTIONS = ['## Context', '## Decision', '## Consequences'];

const textOf = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

/** The missing parts of a decision, by the format in decisions/README.md. */
function complaints(file: string, text: string): string[] {
  const [title = '', , status = ''] = text.split('\n');
  const headings = text.match(/^## .*$/gm) ?? [];
  const tooWide = text.split('\n').filter((line) => line.length > 100 && !line.startsWith('|'));
  return [
    ...(title.startsWith(`# ${file.slice(0, 4)}: `) ? [] : [`title: ${title}`]),
    ...(/^Status: accepted, \d{4}-\d\d-\d\d\./.test(status) ? [] : [`status: ${status}`]),
    ...(headings.join() === SECTIONS.join() ? [] : [`sections: ${headings.join(', ')}`]),
    ...(text.split(/\s+/).length > MAX_WORDS ? [`more than ${MAX_WORDS} words`] : []),
    ...tooWide.map((line) => `wide: ${line}`),
  ];
}

describe('the decisions', () => {
  test('that hold are one page each, in the format that their README describes', () => {
    const found = decisionsIn('decisions').flatMap((file) =>
      complaints(file, textOf('decisions', file)).map((complaint) => `${file}: ${complaint}`),
    );
    expect(found).toEqual([]);
  });

  test.each(DECISION_FOLDERS)('in %s are in its index; else run `npm run format`', (folder) => {
    const index = textOf(folder, 'README.md');
    expect(index).toBe(withDecisions(folder));
    expect(index.match(/^\| \[\d{4}\]\(/gm)).toHaveLength(decisionsIn(folder).length);
  });

  test('have numbers of their own', () => {
    const numbers = DECISION_FOLDERS.flatMap((folder) =>
      decisionsIn(folder).map((file) => file.slice(0, 4)),
    );
    expect(numbers.length).toBe(new Set(numbers).size);
  });
});

test('a decision in another format is found', () => {
  const good = `# 0001: A title\n\nStatus: accepted, 2026-11-18.\n\n${SECTIONS.join('\n\nText.\n\n')}\n\nText.\n`;
  expect(complaints('0001-a.md', good)).toEqual([]);
  expect(complaints('0001-a.md', good.replace('## Consequences', '## Cost'))).toHaveLength(1);
  expect(complaints('0001-a.md', good.replace('Status: accepted, ', ''))).toHaveLength(1);
  expect(complaints('0002-a.md', good)).toEqual(['title: # 0001: A title']);
});
