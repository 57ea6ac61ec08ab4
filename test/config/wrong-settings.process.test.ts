import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { root } from '../../scripts/build.ts';
import { bundledPrograms } from '../bundled-programs.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { lookup } from '../server/lookup.ts';
import { ask } from '../server/request.ts';
import { makePlace, type Place } from './place.ts';

const { cli, hook } = bundledPrograms();

/** Environment variables that would influence the tests. */
const OWN = Object.entries(process.env).filter(
  ([name]) => !/^(?:UNRUT_|XDG_|CI$|CLAUDE_CODE_)/.test(name),
);

interface Started {
  /** Called with the output when `until` matches, before the program is ended. */
  onPrinted?: (printed: string) => Promise<void>;
  program?: string;
  input?: string;
  variables?: Record<string, string>;
  /** Ended when it has printed this. */
  until?: RegExp;
}

async function start(
  place: Place,
  args: readonly string[],
  { program = cli, input = '', variables = {}, until, onPrinted }: Started = {},
) {
  const env = {
    ...Object.fromEntries(OWN),
    HOME: place.home,
    USERPROFILE: place.home,
    UNRUT_COMPANION: 'off',
    ...variables,
  };
  const child = spawn(process.execPath, [program, ...args], { cwd: place.project, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {}).end(input);
  let printed = '';
  let asked: Promise<void> | undefined;
  if (until)
    child.stdout.on('data', (data: Buffer) => {
      printed += data;
      if (!until.test(printed)) return;
      asked ??= (onPrinted?.(printed) ?? Promise.resolve()).finally(() => child.kill('SIGTERM'));
    });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  );
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  await asked;
  return { code, stdout, stderr };
}

const WRONG_NAME = { allow: ['nonsense'] };

/**
 * Every setting that does not make Unrut record only, each with a wrong value, and one that is
 * sound.
 */
const ALL_WRONG = {
  allow: ['nonsense', 3],
  companion: 'maybe',
  notify: { command: 7, webhook: 'nowhere', desktop: 'x', pigeon: true },
  ledger: { retention: { days: -1, megabytes: 'many' } },
  tools: { a: { poll: 'x', verb: 'sing', target: 3, identity: 'all' }, kept: { poll: true } },
  detectors: { cycle: { laps: 0, longest: 'x' }, 'of-another-version': false },
  recoveries: { 'suggest-backoff': { mostSeconds: 'x' } },
  trust: 'me',
  nonsense: 1,
};

/** How a wrong setting reaches an entrance, and how many lines `config --check` says about it. */
const WAYS: [how: string, config: object, variables: Record<string, string>, lines: number][] = [
  ['an unknown name in allow', WRONG_NAME, {}, 1],
  ['an unknown name in UNRUT_ALLOW', {}, { UNRUT_ALLOW: 'nonsense' }, 1],
  ['a wrong variable of computer use', {}, { UNRUT_LOOP_RECOVERY: 'perhaps' }, 1],
  ['every setting wrong', ALL_WRONG, {}, 19],
];

describe.each(WAYS)('with %s', (_, config, variables, lines) => {
  const place = () =>
    makePlace({
      'user/unrut.config.json': config,
      'project/PROMPT.md': 'Do it.\n',
      'project/agent.mjs': "console.log('Fixed auth.ts - added null check');\n",
    });

  test('config --check and doctor report it', async () => {
    const here = place();
    const check = await start(here, ['config', '--check'], { variables });
    expect(check.code).toBe(2);
    const said = check.stderr.trim().split('\n');
    expect(said, check.stderr).toHaveLength(lines);
    const doctor = await start(here, ['doctor', '--json'], { variables });
    const { problems } = JSON.parse(doctor.stdout) as { problems: string[] };
    for (const line of said) expect(problems).toContain(line.replace('[unrut] ', ''));
  });

  test('a hook still tells the agent at the third try', async () => {
    const { before, after } = LOOPING['claude-code'];
    const here = place();
    const printed: string[] = [];
    for (const n of [1, 2, 3])
      for (const payload of [before(n), ...after(n)]) {
        const { code, stdout } = await start(here, [], {
          program: hook,
          input: JSON.stringify(payload),
          variables,
        });
        expect(code).toBe(0);
        printed.push(stdout);
      }
    expect(printed.join('')).toContain('hookSpecificOutput');
  });

  test('run detects the loop and ends as it does without the setting', async () => {
    const args = ['run', 'PROMPT.md', '--on-loop', 'stop', '--', process.execPath, 'agent.mjs'];
    const { code, stdout, stderr } = await start(place(), args, { variables });
    expect(code, stderr).toBe(3);
    expect(stdout).toContain('Loop Detected');
  });

  test('mcp passes on what the server answers', async () => {
    const server = join(root, 'test/mcp/servers/awkward.ts');
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: 'alive' } },
    };
    const args = ['mcp', process.execPath, server];
    const { stdout, stderr } = await start(place(), args, {
      input: `${JSON.stringify(call)}\n`,
      variables,
      until: /alive/,
    });
    expect(stdout, stderr).toContain('alive');
  });

  test.each(['serve', 'gateway'])('%s starts', async (name) => {
    const { stdout, stderr } = await start(place(), [name, '--port', '0'], {
      variables,
      until: /127\.0\.0\.1:\d+/,
    });
    expect(stdout, stderr).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
  });

  test('serve notes a loop that it is reported', async () => {
    const rungs: (string | undefined)[] = [];
    await start(place(), ['serve', '--port', '0'], {
      variables,
      until: /127\.0\.0\.1:\d+/,
      async onPrinted(printed) {
        const body = JSON.stringify([1, 2, 3].map((i) => lookup(i, { session: 'wrong' })));
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)![0];
        const { text: answer } = await ask(`${url}/v1/events`, { body });
        const { verdicts } = JSON.parse(answer) as {
          verdicts: { plan: { rung: string } | null }[];
        };
        rungs.push(...verdicts.map(({ plan }) => plan?.rung));
      },
    });
    expect(rungs).toEqual([undefined, undefined, 'note']);
  });

  test('acp passes on what the agent answers', async () => {
    const args = ['acp', process.execPath, '-e', 'process.stdin.pipe(process.stdout)'];
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    const { code, stdout, stderr } = await start(place(), args, {
      input: `${message}\n`,
      variables,
    });
    expect(stdout, stderr).toContain('"initialize"');
    expect(code).toBe(0);
  });

  test('run leaves a task of a roadmap that loops', async () => {
    const here = place();
    here.write('project/roadmap.yaml', 'tasks:\n  - id: T1\n    prompt: Do it.\n');
    const args = ['run', 'roadmap.yaml', '--', process.execPath, 'agent.mjs'];
    const { code, stderr } = await start(here, args, { variables });
    expect(stderr).toContain('Loop detected: no_progress_repeat');
    expect([3, 4], stderr).toContain(code);
  });

  test('watch prints what there is until its input ends', async () => {
    const { code, stderr } = await start(place(), ['watch'], { variables });
    expect(code, stderr).toBe(0);
  });

  test('scan finds a loop in a log', async () => {
    const here = place();
    const log = [1, 2, 3].map((i) => JSON.stringify(lookup(i, { session: 'wrong' }))).join('\n');
    here.write('project/log.jsonl', `${log}\n`);
    const { code, stdout, stderr } = await start(here, ['scan', 'log.jsonl'], { variables });
    expect(stdout, stderr).toContain('lookup_order');
    expect([0, 1]).toContain(code);
  });

  test.each([['show', '--list'], ['stats'], ['show', '--log']])('%s works', async (...args) => {
    const { code, stderr } = await start(place(), args, { variables });
    expect([0, 1], stderr).toContain(code);
  });
});

test('without wrong settings config --check says nothing', async () => {
  expect(await start(makePlace(), ['config', '--check'])).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
});
