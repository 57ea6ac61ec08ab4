import type { Verb } from '../prints.ts';
import { asksForState } from './asks.ts';
import { type Deed, deed, has, type Invocation, type ProgramRule } from './deed.ts';

/** Scripts. Their names tell what they do, or their text if it is on the command line. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const CHECKS = words(
  'test tests spec specs e2e unit integration lint check checks build typecheck types tsc compile ci verify validate coverage bench benchmark analyze runtest',
);
const CHANGES = words(
  'fmt format fix generate gen codegen install migrate migration seed deploy publish release clean reset setup bootstrap upgrade update add remove init pub package uninstall lock',
);

/** What a script of this name does: `test:unit` verifies, `lint:fix` writes, `dev` runs. */
export function scriptVerb(name: string): Verb {
  let verb: Verb = 'execute';
  for (const word of name.toLowerCase().split(/[^a-z0-9]+/)) {
    if (word === 'fix') return 'write';
    // format:check, fmt-check
    if (word === 'check' && verb === 'write') return 'verify';
    if (verb !== 'execute') continue;
    if (CHECKS.has(word)) verb = 'verify';
    else if (CHANGES.has(word)) verb = 'write';
  }
  return verb;
}

/**
 * What a program in a file does. It is a check only if its name says so; without a file extension,
 * only if the name begins that way (`test-app`, not `app-test`).
 */
function fileVerb(path: string): Verb {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot <= 0)
    return /^(?:run[-_])?(?:tests?|check|lint|build|verify)(?:[-_]|$)/.test(name)
      ? 'verify'
      : 'execute';
  return name.slice(0, dot) === 't' || scriptVerb(name.slice(0, dot)) === 'verify'
    ? 'verify'
    : 'execute';
}

/** Python, JavaScript, Ruby or PHP code that changes files, starts programs or sends requests. */
const CHANGING =
  /\bopen\([^)\n]{0,200}['"](?:[rb+]*[wax])|\.?write|append_?file|createWriteStream|unlink|rmSync|rmdir|rmtree|\bremove\(|rename|mkdir|makedirs|system\(|popen|subprocess|\bexec|spawn|shutil|copyFile|cpSync|requests\.|fetch\(|urlopen|axios|\.save\(|\.dump\(|to_csv|\.commit\(|\bINSERT\b|\bUPDATE\b|\bDELETE\b|\bDROP\b|\bCREATE\b|put_contents|\bmain\(|sleep\(/i;
const MAX_CODE_LENGTH = 16_384;

const codeVerb = (code: string): Verb =>
  CHANGING.test(code.slice(0, MAX_CODE_LENGTH)) ? 'execute' : 'read';

const INLINE = new Set(['-c', '-e', '-p', '-pe', '-r', '--eval', '--print', '-ec']);
const CHECKING: Readonly<Record<string, readonly string[]>> = {
  node: ['--check', '--test', '-c'],
  php: ['-l'],
  ruby: ['-c'],
  bash: ['-n'],
  sh: ['-n'],
  zsh: ['-n'],
};

/** Interpreters of a file, of text on the command line, or of their input. */
export const interpreter: ProgramRule = (run) => {
  const { words: line, at, name } = run;
  const checking = CHECKING[name];
  if (checking !== undefined && has(run, ...checking)) return deed(name, 'verify');
  for (let i = at + 1; i < line.length; i++) {
    const word = line[i]!;
    if (INLINE.has(word)) return deed(name, codeVerb(line[i + 1] ?? ''));
    if (word === '-') break;
    if (word === '--version' || word === '-V' || word === '-v')
      return deed(name, 'read', { wide: false });
    if (!word.startsWith('-')) return started(run, i, name);
  }
  return deed(name, run.body === null ? 'execute' : codeVerb(run.body));
};

/** A program started by its path. */
export const scriptRule: ProgramRule = (run) => started(run, run.at, run.name);

/** What a program in a file does, by its name or by its first argument: `./manage.py test`. */
function started({ words: line }: Invocation, at: number, tool: string): Deed {
  const asked = line[at + 1] ?? '';
  if (asksForState(asked)) return deed(`${tool} ${asked}`, 'read', { wide: false });
  const isCheck = CHECKS.has(asked) && fileVerb(line[at]!) === 'execute';
  return isCheck ? deed(`${tool} ${asked}`, 'verify') : deed(tool, fileVerb(line[at]!));
}

export const INTERPRETERS =
  'python python2 python3 py node ruby php bun-run tsx ts-node lua osascript Rscript julia groovy irb pwsh powershell';
