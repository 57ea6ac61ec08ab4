import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.ts';

/** The folders of decisions, from the root of the repository. */
export const DECISION_FOLDERS = ['decisions', 'decisions/superseded'] as const;

const TABLE = /^\| \| decision \|[\s\S]*?\n(?!\|)/m;

/** The files of the decisions in a folder, by number. */
export const decisionsIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((file) => /^\d{4}-.*\.md$/.test(file))
    .sort();

function rowOf(folder: string, file: string): string {
  const text = readFileSync(join(root, folder, file), 'utf8');
  const title = /^# \d{4}: (.*)$/m.exec(text)?.[1] ?? '';
  const day = /\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? '';
  const [, by, link] = /(?:Replaced|Superseded) by \[0*(\d+)\]\(([^)]+)\)/.exec(text) ?? [];
  const replaced = by === undefined ? '' : `[${by.padStart(4, '0')}](${link})`;
  const last = folder === 'decisions' ? day : replaced;
  return `| [${file.slice(0, 4)}](${file}) | ${title} | ${last} |`.replace('|  |', '| |');
}

/** The README of a folder of decisions with a row for each of them. */
export function withDecisions(folder: (typeof DECISION_FOLDERS)[number]): string {
  const readme = readFileSync(join(root, folder, 'README.md'), 'utf8');
  const head = folder === 'decisions' ? 'date' : 'replaced by';
  const rows = decisionsIn(folder).map((file) => rowOf(folder, file));
  const table = [`| | decision | ${head} |`, '|---|---|---|', ...rows].join('\n');
  return readme.replace(TABLE, () => `${table}\n`);
}
