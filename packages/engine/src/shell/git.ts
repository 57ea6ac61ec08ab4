import {
  addFiles,
  type Deed,
  deed,
  has,
  type Invocation,
  operands,
  options,
  type ProgramRule,
} from './deed.ts';

const GLOBAL_OPTIONS = options('-C -c --git-dir --work-tree --namespace --exec-path');

/** What these change is at most what is known of a remote. */
const READS = new Set(
  `log show branch tag remote config stash blame annotate grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog reflog cat-file merge-base
   name-rev check-ignore for-each-ref show-ref symbolic-ref diff-tree diff-index count-objects whatchanged range-diff worktree submodule version help var
   cherry notes bisect check-attr fsck verify-commit fetch`.split(/\s+/),
);
/** These change files to another state, so earlier edits made without looking no longer matter. */
const RESTORES = new Set([
  'checkout',
  'switch',
  'restore',
  'reset',
  'stash',
  'clean',
  'revert',
  'merge',
  'rebase',
  'pull',
  'cherry-pick',
  'am',
]);

const SOURCE = options('-s --source');

/** Index of the subcommand, after git's own options. */
export function gitSubcommand(run: Pick<Invocation, 'words' | 'at'>): number {
  let i = run.at + 1;
  while (i < run.words.length && run.words[i]!.startsWith('-'))
    i += GLOBAL_OPTIONS.has(run.words[i]!) ? 2 : 1;
  return i;
}

export const git: ProgramRule = (run) => {
  const index = gitSubcommand(run);
  const name = run.words[index];
  if (name === undefined) return deed('git', 'read');
  const tool = `git ${name}`;
  const inner: Invocation = { ...run, at: index, name: tool };
  if (name === 'status' || name === 'diff') return deed(tool, 'read', { look: true });
  if (READS.has(name) && onlyReads(name, inner)) return deed(tool, 'read');
  if (name === 'apply' && has(inner, '--check', '--stat')) return deed(tool, 'verify');
  if (has(inner, '--dry-run', '--help', '-h')) return deed(tool, 'read');
  return changes(name, inner);
};

type Reads = (run: Invocation, operands: number, first: string | undefined) => boolean;
const isOneOf =
  (...names: (string | undefined)[]): Reads =>
  (_, __, first) =>
    names.includes(first);
const flags = (text: string): string[] => text.split(' ');
const BRANCH_CHANGES = flags('-d -D -m -M -f -u --delete --move --force --unset-upstream');
const BRANCH_LISTS = flags('--list -l -a -r -v -vv --contains --merged --no-merged --points-at');
const TAG_LISTS = flags('-l --list --contains --points-at -n --sort');

/** When subcommands that may change something only read. */
const ONLY_READS: Readonly<Record<string, Reads>> = {
  branch: (run, operands) =>
    !has(run, ...BRANCH_CHANGES) && (operands === 0 || has(run, ...BRANCH_LISTS)),
  tag: (run, operands) => (operands === 0 && !has(run, '-d')) || has(run, ...TAG_LISTS),
  remote: isOneOf(undefined, 'show', 'get-url'),
  config: (run, operands, first) =>
    first === 'get' ||
    first === 'list' ||
    has(run, '--list', '-l') ||
    run.words.some((word) => word.startsWith('--get')) ||
    (operands === 1 && !has(run, '--unset', '--unset-all', '-e', '--edit')),
  stash: isOneOf('list', 'show'),
  'symbolic-ref': (run, operands) => operands < 2 && !has(run, '-d'),
  worktree: isOneOf('list', 'show'),
  notes: isOneOf(undefined, 'list', 'show'),
  submodule: isOneOf(undefined, 'status', 'summary'),
  bisect: isOneOf('log', 'view'),
  reflog: (_, __, first) => first !== 'expire' && first !== 'delete',
};

function onlyReads(name: string, run: Invocation): boolean {
  const found = operands(run);
  return ONLY_READS[name]?.(run, found.length, run.words[found[0] ?? -1]) ?? true;
}

function changes(name: string, run: Invocation): Deed {
  const writing = deed(run.name, 'write');
  if (name === 'restore' || (name === 'checkout' && has(run, '--'))) {
    const dashes = run.words.indexOf('--', run.at);
    const from = dashes < 0 ? operands(run, SOURCE) : operands({ ...run, at: dashes });
    addFiles(writing, run, from);
    if (writing.files.length === 1 && !writing.many && writing.files[0] !== '.') {
      writing.effect = 'target';
      writing.clears = 'target';
      return writing;
    }
    writing.files = [];
  }
  if (RESTORES.has(name)) writing.clears = 'space';
  return writing;
}
