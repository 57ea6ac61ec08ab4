import type { Declared } from '@unrut/engine/option';
import { plain, sectionOf, sectionsOf, tableIn } from './markdown.ts';

/** What lies in one detector's or recovery's folder. */
export interface Folder {
  name: string;
  files: readonly string[];
  /** What its main file exports. */
  exported: Readonly<Record<string, unknown>>;
  readme: string;
}

/** What every piece has, be it a detector or a recovery. */
export interface Piece {
  name: string;
  declared?: Declared;
}

/** What one kind of folder must look like. */
export interface Kind {
  /** Its one source file; a detector may have lists of rules next to it, in `rules.ts`. */
  file: string;
  /** The method by which an exported value is known to be of this kind. */
  method: string;
  headings: readonly string[];
}

export const DETECTOR: Kind = {
  file: 'detector.ts',
  method: 'step',
  headings: [
    '## What it sees',
    '## Why it hurts',
    '## Fires',
    '## Stays quiet',
    '## When it is wrong',
    '## Options',
  ],
};

export const RECOVERY: Kind = {
  file: 'recovery.ts',
  method: 'plan',
  headings: [
    '## What it does',
    '## When',
    '## What the model reads',
    '## What a person reads',
    '## Options',
  ],
};

const RULES = 'rules.ts';

const camelCase = (name: string): string =>
  name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());

/** The exported values that are of this kind, by the names under which they are exported. */
export function piecesIn<P extends Piece>(folder: Folder, kind: Kind): [as: string, piece: P][] {
  return Object.entries(folder.exported).filter((entry): entry is [string, P] => {
    const value = entry[1] as Record<string, unknown> | null;
    return typeof value === 'object' && value !== null && typeof value[kind.method] === 'function';
  });
}

/** What is wrong with a folder's files, export and headings. */
export function folderComplaints(folder: Folder, kind: Kind): string[] {
  const { name, files, readme } = folder;
  const complaints: string[] = [];
  for (const needed of [kind.file, 'README.md'])
    if (!files.includes(needed)) complaints.push(`${name}: has no ${needed}`);
  for (const file of files) {
    if (![kind.file, RULES, 'README.md'].includes(file) && !file.endsWith('.jsonl'))
      complaints.push(`${name}: ${file} does not belong here`);
  }
  const pieces = piecesIn(folder, kind);
  if (pieces.length !== 1)
    complaints.push(
      `${name}: ${kind.file} exports ${pieces.length} values with a ${kind.method}(), expected one`,
    );
  for (const [as, piece] of pieces) {
    if (piece.name !== name)
      complaints.push(`${name}: its name is ${piece.name}, not that of the folder`);
    if (as !== camelCase(name))
      complaints.push(`${name}: exported as ${as}, expected ${camelCase(name)}`);
  }
  const hasRules = files.includes(RULES);
  const headings = sectionsOf(readme)
    .map((section) => section.heading)
    .filter((heading) => !(hasRules && heading.startsWith('### ')))
    .slice(1);
  const expected = [`# ${name}`, ...kind.headings];
  if (files.includes(RULES))
    expected.splice(expected.indexOf('## When it is wrong'), 0, '## Rules');
  if (headings.join('\n') !== expected.join('\n')) {
    complaints.push(
      `${name}: README.md has the headings ${headings.join(', ') || 'none'}; expected ${expected.join(', ')}`,
    );
  }
  return complaints;
}

const asJson = (text: string): string | undefined => {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
};

/**
 * Where the table under Options and the options themselves differ. `npm run format` writes all of
 * it but the reasons.
 */
export function optionComplaints({ name, readme }: Folder, options: Declared = {}): string[] {
  const section = sectionOf(readme, '## Options');
  if (!section) return [`${name}: README.md has no section ## Options`];
  const [head, ...rows] = tableIn(section.lines);
  if (!head) {
    const saysNone = section.lines.join('\n').trim() === 'None.';
    return saysNone && Object.keys(options).length === 0
      ? []
      : [`${name}: Options is no table, and not "None." for no options`];
  }
  const complaints: string[] = [];
  if (head.join(' | ') !== 'option | default | what it is | why this number')
    complaints.push(`${name}: the head of Options is ${head.join(' | ')}`);
  const documented = new Set<string>();
  for (const [option = '', shown = '', what = '', why = ''] of rows.map((row) => row.map(plain))) {
    if (documented.has(option)) complaints.push(`${name}: option ${option} has two rows`);
    documented.add(option);
    if (why === '' || why === 'TODO')
      complaints.push(`${name}: option ${option} has no reason for its number`);
    if (!Object.hasOwn(options, option))
      complaints.push(`${name}: option ${option} is documented but does not exist`);
    else {
      const { default: usual, about } = options[option]!;
      const value = JSON.stringify(usual);
      if (!/^[A-Z].*[.]$/.test(about))
        complaints.push(`${name}: option ${option} is not described by a sentence`);
      if (what !== about)
        complaints.push(`${name}: option ${option} is "${about}", README.md says "${what}"`);
      if (asJson(shown) !== value)
        complaints.push(`${name}: option ${option} defaults to ${value}, README.md says ${shown}`);
    }
  }
  for (const option of Object.keys(options))
    if (!documented.has(option)) complaints.push(`${name}: option ${option} is not documented`);
  return complaints;
}

/**
 * Where a registry and the folders differ, and whether its order can be found out by a reader: the
 * alphabet's, or the documented one.
 */
export function registryComplaints(
  registry: readonly Piece[],
  pieces: ReadonlyMap<string, Piece>,
  documented: readonly string[] = [],
): string[] {
  const complaints: string[] = [];
  const names = registry.map((piece) => piece.name);
  for (const [folder, piece] of pieces)
    if (!registry.includes(piece)) complaints.push(`${folder}: is not in the registry`);
  for (const name of names)
    if (!pieces.has(name)) complaints.push(`${name}: is in the registry but has no folder`);
  for (const name of new Set(names)) {
    if (names.indexOf(name) !== names.lastIndexOf(name))
      complaints.push(`${name}: is in the registry twice`);
  }
  const order = names.join(' ');
  if (order !== [...names].sort().join(' ') && order !== documented.join(' ')) {
    complaints.push(`the registry is neither in alphabetical nor in documented order: ${order}`);
  }
  return complaints;
}
