import type { Verb } from '../prints.ts';
import { type Deed, deed, has, type Invocation, operands, type ProgramRule } from './deed.ts';
import { interpreter, scriptVerb } from './scripts.ts';
import { ALIASES, type Kind, SUITES, type Suite } from './suite-tables.ts';

/**
 * Subcommands that only read, for programs whose subcommands are not all listed: `vercel logs`,
 * `aws ec2 describe-instances`.
 */
const LOOKING =
  /^(?:list|ls|show|get|describe|status|logs?|view|info|search|find|diff|checks|inspect|whoami|history|help|version|query|head)(?:[-_]|$)|[-_:](?:status|info|list)$/;

/** What a program with subcommands does. */
export const suiteRule: ProgramRule = (run) => {
  const known = ALIASES[run.name] ?? run.name;
  const table = SUITES[known]!;
  const found = operands(run, table.valued());
  const first = run.words[found[0] ?? -1] ?? '';
  const second = run.words[found[1] ?? -1] ?? '';
  if (runsFile(run, known, first)) return interpreter(run);
  const kind =
    listedKind(run, table, first, second) ?? unlistedKind(table, run.name, first, second);
  // `npm run build`, `pnpm build`, `make all`
  const script = table.kinds().get(first) === 'script' ? second : first;
  const named =
    kind === 'script' ? scriptName(first, second, script) : nameOf(table, first, second);
  const tool = named === '' ? run.name : `${run.name} ${named}`;
  return suiteDeed(run, tool, kind === 'script' ? kindOfScript(known, script) : kind, first);
};

/** `bun file.ts`, `deno run file.ts`, `bun -e '…'` */
const runsFile = (run: Invocation, known: string, first: string): boolean =>
  (known === 'bun' && (first === '' || has(run, '-e', '--eval'))) || SOURCE_FILE.test(first);

/** The subcommand: one word or two. */
const nameOf = ({ depth }: Suite, first: string, second: string): string =>
  second !== '' && (depth === 2 || first === 'compose') ? `${first} ${second}` : first;

function scriptName(first: string, second: string, script: string): string {
  if (first === 'compose' && second !== '') return `compose ${second}`;
  return script === first ? first : `${first} ${script}`;
}

/** The kind of a subcommand that is in the table. */
function listedKind(
  run: Invocation,
  table: Suite,
  first: string,
  second: string,
): Kind | undefined {
  const kinds = table.kinds();
  if (run.name === 'docker-compose') return kinds.get(`compose ${first}`) ?? 'write';
  const both = second === '' ? undefined : kinds.get(`${first} ${second}`);
  return both ?? kinds.get(first) ?? flagKind(run, kinds);
}

/** The kind of a subcommand that is not listed. */
function unlistedKind(
  { depth, otherwise }: Suite,
  name: string,
  first: string,
  second: string,
): Kind {
  if (first === '') return otherwise === 'script' ? emptyKind(name) : 'read';
  if (depth !== 2 && otherwise !== 'write') return otherwise;
  return LOOKING.test(depth === 2 ? second : first) ? 'read' : otherwise;
}

function kindOfScript(suite: string, script: string): Kind {
  if (script === '') return 'read';
  return suite === 'make' || suite === 'rake' ? targetVerb(script) : scriptVerb(script);
}

/** What a program with a subcommand of this kind does. Its options may change that. */
export function suiteDeed(run: Invocation, tool: string, kind: Kind, first: string): Deed {
  if (run.name === 'gh' && first === 'api')
    return deed('gh api', sendsData(run) ? 'write' : 'read');
  if (kind === 'poll') return deed(tool, 'read', { sleeps: true });
  const verb = kind === 'script' ? 'execute' : kind;
  const done = deed(tool, verb);
  if (verb === 'verify' && has(run, '--fix', '--write', '--apply', '--unsafe'))
    return deed(tool, 'write');
  if (verb === 'write' && has(run, '--check', '--dry-run', '--diff', '-check', '--list-different'))
    return deed(tool, 'verify');
  if (verb === 'write' && FORMATS.test(tool)) done.role = 'light';
  if (verb === 'read')
    done.sleeps =
      has(run, '-w', '--watch', '-f', '--follow') &&
      (run.name === 'kubectl' || has(run, '--watch', '--follow'));
  return done;
}

const SOURCE_FILE = /\.[cm]?[jt]sx?$/;
const FORMATS = /[ :](?:fmt|format)(?::|$)/;

/** Whether `gh api` sends something: a method other than GET, or fields. */
const sendsData = (run: Invocation): boolean => {
  const method = run.words.findIndex((word) => word === '-X' || word === '--method');
  if (method > 0) return run.words[method + 1]?.toUpperCase() !== 'GET';
  return (
    has(run, '-f', '-F', '--field', '--raw-field', '--input') ||
    run.words.some((word) => word.startsWith('--method='))
  );
};

/** `just --list`, `make -n`: an option instead of a subcommand. */
function flagKind(run: Invocation, kinds: ReadonlyMap<string, Kind>): Kind | undefined {
  const word = run.words[run.at + 1];
  return word?.startsWith('-') ? kinds.get(word) : undefined;
}

/** Without a subcommand, `yarn` installs; the others (`make`) build. */
const emptyKind = (name: string): Kind => (name === 'yarn' ? 'write' : 'verify');

/** Most makefile targets build something. */
const targetVerb = (target: string): Verb => {
  const verb = scriptVerb(target);
  return verb === 'execute' && !/^(?:run|start|serve|dev|up|down|watch)/.test(target)
    ? 'verify'
    : verb;
};

export const SUITE_NAMES: string = [...Object.keys(SUITES), ...Object.keys(ALIASES)].join(' ');

/** Whether the first word of a program that is in no table says that it only reads. */
export const looksOnly = (word: string): boolean => LOOKING.test(word);
