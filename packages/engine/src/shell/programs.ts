import { remembering } from '../lazily.ts';
import { asksCloud, asksOf, startsJob } from './asks.ts';
import {
  type Deed,
  deed,
  has,
  type Invocation,
  NO_OPTIONS,
  operands,
  options,
  type ProgramRule,
  under,
} from './deed.ts';
import { curl, httpie, wget } from './fetches.ts';
import { FILE_PROGRAMS } from './files.ts';
import { git } from './git.ts';
import { innerLine } from './inner-line.ts';
import { readPatch } from './patch-text.ts';
import { INTERPRETERS, interpreter, scriptRule, scriptVerb } from './scripts.ts';
import { sqlVerb } from './sql-verb.ts';
import { looksOnly, SUITE_NAMES, suiteDeed, suiteRule } from './suites.ts';
import { unwrap } from './unwrap.ts';

/** What every known program does. Any other program may do anything. */

/**
 * Reads a whole command line. Passed in, because a line may contain another line: `bash -c`, `ssh
 * host '…'`.
 */
export type ReadLine = (line: string) => Deed;

const CHECKERS = `nose nose2 tox nox mypy pyright basedpyright pyre flake8 pydocstyle bandit py_compile compileall vulture tsc vue-tsc tsgo standard xo jest mocha ava
  tap jasmine karma nyc c8 webpack rollup rolldown esbuild swc parcel tsup tsdown attw knip tsd cmake ninja meson gcc g++ cc c++ clang clang++ javac
  rustc kotlinc scalac ghc nvcc mvn mvnw gradle gradlew ant sbt lein xcodebuild msbuild rspec rubocop brakeman standardrb phpunit phpstan psalm pest
  phpcs revive gosec gotestsum valgrind clang-tidy tfsec checkov vale codespell cspell detekt checkstyle buf sqlfluff coverage modernize
  fieldalignment nilaway semgrep trivy lychee bats busted mkdocs sphinx-build hugo jekyll latexmk pdflatex typst ty pytype deadcode`;

/** Many checkers are recognised by name: `eslint`, `staticcheck`, `vitest`. */
const CHECKING = /(?:lint|check|test)(?:-cli)?\d*$/;

/**
 * Formatters that rewrite files unless told to check, and those that only print unless told to
 * write.
 */
const REWRITERS = 'black isort rustfmt yapf autoflake pyupgrade docformatter ktfmt lint-staged';
const PRINTERS =
  'prettier gofmt goimports gofumpt shfmt clang-format autopep8 dprint stylua taplo csharpier google-java-format';

const FIXES = [
  '--fix',
  '--write',
  '--in-place',
  '--autofix',
  '--auto-correct',
  '--autocorrect',
  '--apply',
  '-fix',
];
const ONLY_CHECKS = [
  '--check',
  '--diff',
  '--check-only',
  '-c',
  '-l',
  '--list-different',
  '-d',
  '--dry-run',
];

const checker: ProgramRule = (run) =>
  deed(
    run.name,
    has(run, ...FIXES) || (run.name === 'rubocop' && has(run, '-a', '-A')) ? 'write' : 'verify',
  );
const rewriter: ProgramRule = (run) => formatting(run, !has(run, ...ONLY_CHECKS));
const printer: ProgramRule = (run) =>
  formatting(run, has(run, '-w', '-i', '--write', '--in-place', 'fmt'));

const formatting = ({ name }: Invocation, writes: boolean): Deed =>
  writes ? deed(name, 'write', { role: 'light' }) : deed(name, 'verify');

const sleep: ProgramRule = (run) => {
  const time = run.words[run.at + 1] ?? '';
  return deed('sleep', /^0*(?:\.0*)?[smhd]?$/.test(time) ? 'nothing' : 'wait', { role: 'silent' });
};

const wait: ProgramRule = (run) => deed(run.name, 'wait');

const statementOf = (run: Invocation): string | null =>
  run.body ??
  run.words.slice(run.at + 1).find((word) => sqlVerb(word) !== null && /\s|^[.\\]/.test(word)) ??
  null;

const database: ProgramRule = (run) => {
  const statement = statementOf(run);
  const verb = statement === null ? null : sqlVerb(statement);
  return deed(run.name, verb ?? (has(run, '-l', '--list') ? 'read' : 'execute'));
};

const patch: ProgramRule = (run) => {
  const { files, region, deletes } = readPatch(run.body ?? run.words[run.at + 1] ?? '');
  const effect = files.length === 1 ? 'target' : 'any';
  return deed(run.name, 'write', {
    files,
    region,
    effect,
    patch: !deletes,
    clears: deletes ? 'target' : 'none',
  });
};

/** A program that is in no table. */
const unknown: ProgramRule = (run) => {
  const first = run.words[run.at + 1];
  const named =
    first !== undefined && /^[a-z][a-z0-9:_-]*$/.test(first) && (run.marks[run.at + 1]! & 7) === 0;
  if (
    run.words[run.at]!.includes('/') ||
    /\.(?:sh|py|js|ts|mjs|rb|pl|bash|ps1|bat)$/.test(run.name)
  ) {
    const running = scriptRule(run);
    if (running.verb === 'verify') return running;
  }
  return named
    ? suiteDeed(run, `${run.name} ${first}`, looksOnly(first) ? 'read' : scriptVerb(first), first)
    : deed(run.name, 'execute');
};

const NAMED: readonly (readonly [names: string, rule: ProgramRule])[] = [
  ...FILE_PROGRAMS,
  [SUITE_NAMES, suiteRule],
  [INTERPRETERS, interpreter],
  ['bash sh zsh dash fish ksh', interpreter],
  [CHECKERS, checker],
  [REWRITERS, rewriter],
  [PRINTERS, printer],
  ['git', git],
  ['curl', curl],
  ['wget', wget],
  ['http https xh invoke-webrequest iwr invoke-restmethod', httpie],
  ['sleep start-sleep', sleep],
  ['wait inotifywait fswatch wait-for-it wait-on', wait],
  ['psql sqlite3 mysql mariadb duckdb clickhouse-client', database],
  ['apply_patch applypatch patch', patch],
  ['json.tool', (run) => deed(run.name, 'read')],
];

/** Cached by name: a process meets few programs, so building a table of all would take longer. */
const ruleOf = remembering((name): ProgramRule => {
  const listed = NAMED.findLast(
    ([names]) => names.includes(name) && names.split(/\s+/).includes(name),
  )?.[1];
  return listed ?? (CHECKING.test(name) ? checker : unknown);
});

/** What one program does. */
export function classifyProgram(run: Invocation, readLine: ReadLine): Deed {
  const { name } = run;
  const inner = run.carried < MAX_CARRIED ? CARRIERS.get(name)?.(run, readLine) : null;
  if (inner) return inner;
  const rule = ruleOf(name);
  const words = run.words.slice(run.at);
  const found = rule(run);
  const done = asksCloud(found.tool, words) ? deed(found.tool, 'read') : found;
  if (done.verb !== 'read' && done.role === '' && has(run, '--help', '--version'))
    return deed(done.tool, 'read', { wide: false });
  if (
    run.at + 2 === run.words.length &&
    (run.words[run.at + 1] === '-h' || run.words[run.at + 1] === '-v') &&
    done.verb === 'execute'
  ) {
    return deed(done.tool, 'read');
  }
  if (has(run, '--wait')) done.sleeps = true;
  done.asks = asksOf(done, rule === database ? statementOf(run) : null, words);
  done.starts = startsJob(done, words);
  return done;
}

const MAX_CARRIED = 4;

type Carrier = (run: Invocation, readLine: ReadLine) => Deed | null;

/**
 * Classifies the program that begins at this word. If it runs elsewhere (`away`), its effect on
 * files is unknown.
 */
function carried(run: Invocation, at: number, readLine: ReadLine, away: boolean): Deed | null {
  if (at >= run.words.length) return null;
  const inner = classifyProgram(
    { ...unwrap(run.words, run.marks, at, false, null), carried: run.carried + 1 },
    readLine,
  );
  return away ? elsewhere(inner) : inner;
}

/** Its files are elsewhere or not named, so it may read or change many. */
function elsewhere(inner: Deed): Deed {
  inner.files = [];
  inner.role = '';
  inner.region = null;
  inner.patch = false;
  inner.wide ||= inner.verb === 'read';
  if (inner.verb === 'nothing') inner.verb = 'read';
  if (inner.effect === 'target') inner.effect = 'any';
  return inner;
}

/** Index of the nth operand. */
const operandAt = (
  run: Invocation,
  nth: number,
  valued: ReadonlySet<string> = NO_OPTIONS,
): number => operands(run, valued)[nth] ?? run.words.length;

const shellLine: Carrier = (run, readLine) => {
  const line = innerLine(run);
  return line === null ? null : readLine(line);
};

const SSH_OPTIONS = options('-i -p -l -o -F -J -L -R -D -b -c -E -m -S -W');
const DOCKER_OPTIONS = options(
  '-u --user -w --workdir -e --env --env-file -f --file -p --project-name -n --namespace -c --container --index',
);
const JOBS = options('-j --jobs');
const INTERVAL = options('-n --interval');
const XARGS_OPTIONS = options(
  '-n -P -I -L -d -s -a -E --max-args --max-procs --replace --delimiter',
);

const inContainer: Carrier = (run, readLine) => {
  const found = operands(run, DOCKER_OPTIONS);
  const exec = found.findIndex((index) => run.words[index] === 'exec');
  if (exec < 0 || exec > 1) return null;
  const dashes = run.words.indexOf('--', run.at);
  const at = dashes > 0 ? dashes + 1 : (found[exec + 2] ?? run.words.length);
  return carried(run, at, readLine, true);
};

const CARRIERS: ReadonlyMap<string, Carrier> = new Map<string, Carrier>([
  ...under('bash sh zsh dash powershell pwsh', shellLine),
  [
    'eval',
    (run, readLine) =>
      run.words.length > run.at + 1 ? readLine(run.words.slice(run.at + 1).join(' ')) : null,
  ],
  [
    'ssh',
    (run, readLine) => {
      const at = operandAt(run, 1, SSH_OPTIONS);
      return at < run.words.length ? elsewhere(readLine(run.words.slice(at).join(' '))) : null;
    },
  ],
  ...under('docker docker-compose podman kubectl', inContainer),
  [
    'wsl',
    (run, readLine) => {
      const dashes = run.words.indexOf('--', run.at);
      return dashes > 0 ? carried(run, dashes + 1, readLine, true) : null;
    },
  ],
  [
    'xargs',
    (run, readLine) =>
      carried(run, operandAt(run, 0, XARGS_OPTIONS), readLine, true) ?? deed('xargs', 'read'),
  ],
  ['parallel', (run, readLine) => carried(run, operandAt(run, 0, JOBS), readLine, true)],
  [
    'watch',
    (run, readLine) => {
      const at = operandAt(run, 0, INTERVAL);
      const inner =
        at < run.words.length ? readLine(run.words.slice(at).join(' ')) : deed('watch', 'read');
      inner.sleeps = true;
      return inner;
    },
  ],
  [
    'find',
    (run, readLine) => {
      if (has(run, '-delete')) return deed('find', 'write');
      const exec = run.words.findIndex(
        (word, i) => i > run.at && (word === '-exec' || word === '-execdir' || word === '-ok'),
      );
      const inner = exec > 0 ? carried(run, exec + 1, readLine, true) : null;
      if (inner && inner.verb !== 'read') return inner;
      return deed('find', 'read', { look: inner?.look ?? false });
    },
  ],
]);
