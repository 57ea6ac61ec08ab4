import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { newFolder } from '../ledger-files.ts';
import { type Ended, isThere, makePlace, type Place } from './place.ts';

/** An agent that is a shell script; `$n` counts its runs, in a log, so that counting is no work. */
const agent = (script: string): string[] => [
  'sh',
  '-c',
  `cat >/dev/null; n=$(( $(cat home/n.log 2>/dev/null || echo 0) + 1 )); echo $n > home/n.log; ${script}`,
];
/** Says one thing after the other. */
const says = (...words: string[]): string[] =>
  agent(
    `case $n in ${words.map((each, i) => `${i + 1}) printf '%s\\n' ${quoted(each)};;`).join(' ')} *) echo TASK_COMPLETE;; esac`,
  );
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const ROADMAP = 'tasks:\n  - { id: T, prompt: Do it. }\n';
const place = (config?: object): Place => {
  const made = makePlace({ 'PROMPT.md': 'Do it.\n', 'roadmap.yaml': ROADMAP });
  if (config) writeFileSync(join(made.home, 'unrut.config.json'), JSON.stringify(config));
  return made;
};
const iterations = ({ stderr }: Ended): number => stderr.match(/iteration \d+ of/g)?.length ?? 0;
const briefly = (ended: Ended) => ({ code: ended.code, iterations: iterations(ended) });

const A =
  "Error: TypeError - Cannot read property 'id' of null at auth.ts:45 and I looked at the module again";
const B = "Searched GitHub for 'oauth2 refresh token', found 3 patterns in several projects";
const FIX = 'Fixed auth.ts - added null check';

describe('a limit of the provider', () => {
  const once = (words: string): string[] =>
    agent(`[ $n = 1 ] && { echo ${quoted(words)}; exit 1; }; echo TASK_COMPLETE`);
  const overloaded = JSON.stringify({
    type: 'result',
    is_error: true,
    result: 'API Error: 529 {"type":"overloaded_error"}',
  });

  it.each(['PROMPT.md', 'roadmap.yaml'])(
    'that ends at a time is waited out, and counts as nothing: %s',
    async (file) => {
      const soon = Math.floor(Date.now() / 1000) + 1;
      const { code, stderr } = await place().unrut(
        file,
        '--max-errors',
        '1',
        '--',
        ...once(`Claude AI usage limit reached|${soon}`),
      );
      expect(code, stderr).toBe(0);
      expect(stderr).toMatch(/Done after 1 (?:iteration|attempt)/);
      expect(stderr).toContain("The provider's limit is reached: Claude AI usage limit reached");
    },
  );

  it.each(["You've hit your session limit · resets 9pm (UTC)", overloaded])(
    'that takes too long ends the run as a limit: %s',
    async (words) => {
      const ended = await place().unrut('PROMPT.md', '--max-wait', '1s', '--', ...once(words));
      expect(briefly(ended)).toEqual({ code: 2, iterations: 1 });
      expect(ended.stderr).toMatch(/provider_limit: .* longer than --max-wait allows/);
    },
  );

  it('that a report mentions is no limit: the twin', async () => {
    const ended = await place().unrut(
      'PROMPT.md',
      '--',
      ...agent('echo "Handled usage limit reached in api.ts"; echo TASK_COMPLETE'),
    );
    expect(briefly(ended)).toEqual({ code: 0, iterations: 1 });
    expect(ended.stderr).not.toContain("provider's limit");
  });
});

describe('blockers of a task', () => {
  const recovered = async (blocker: string): Promise<string[]> => {
    const { stderr } = await place().unrut(
      'roadmap.yaml',
      '--max-iterations',
      '4',
      '--',
      ...agent(`echo "BLOCKED: ${blocker}"`),
    );
    return [...stderr.matchAll(/Loop detected: (\w+), .*recommendation=(\w+)/g)].map(
      ([, type, what]) => `${type} → ${what}`,
    );
  };

  it('that differ in time, port and count are the same', async () => {
    const words = '2026-01-05T10:0$n:00Z connection refused to 127.0.0.1:543$n (attempt $n)';
    expect(await recovered(words)).toEqual(['blocked_task_spin → unblock_authority']);
  });

  it('twin: other ones do not count', async () => {
    const words =
      '$(echo "the database is locked;no token for the registry;the design is missing;the disk is full" | cut -d";" -f$n)';
    expect((await recovered(words)).filter((each) => each.startsWith('blocked_task_spin'))).toEqual(
      [],
    );
  });
});

describe('what real agents print', () => {
  it('a, b, a, a is no loop', async () => {
    expect(
      briefly(await place().unrut('PROMPT.md', '--on-loop', 'stop', '--', ...says(A, B, A, A))),
    ).toEqual({ code: 0, iterations: 5 });
  });

  it('a, b, a, a, a is one at the fifth: the twin', async () => {
    const ended = await place().unrut(
      'PROMPT.md',
      '--on-loop',
      'stop',
      '--',
      ...says(A, B, A, A, A),
    );
    expect(briefly(ended)).toEqual({ code: 3, iterations: 5 });
  });

  it('an error in a log is the same error at another time, and the report shows it', async () => {
    const log =
      'printf "[2026-01-05T10:00:0${n}Z] pid=4$n starting build\\n[2026-01-05T10:00:0${n}Z] ERROR src/db.ts:41: ECONNREFUSED 127.0.0.1:5432 after 12${n}ms\\nI looked at it.\\n"';
    const ended = await place().unrut('PROMPT.md', '--on-loop', 'stop', '--', ...agent(log));
    expect(briefly(ended)).toEqual({ code: 3, iterations: 3 });
    expect(ended.stdout).toMatch(/Iteration 3: .*ECONNREFUSED.* ← Loop detected/);
  });

  it('two alternating errors are reported as such', async () => {
    const words = [`I met this: ${A}`, `${B} and in two of our own, where none of them fits.`];
    const ended = await place().unrut(
      'PROMPT.md',
      '--on-loop',
      'stop',
      '--',
      ...agent(`[ $((n % 2)) = 1 ] && echo ${quoted(words[0]!)} || echo ${quoted(words[1]!)}`),
    );
    expect(briefly(ended)).toEqual({ code: 3, iterations: 5 });
    expect(ended.stdout).toContain('**Pattern**: The iterations alternate');
  });
});

describe('settings hold, and explain names some that do', () => {
  it.each<[object, number, number]>([
    [
      {
        'similar-output': { matches: 4 },
        'output-signature': { threshold: 5 },
        'nothing-changed': { threshold: 5 },
      },
      3,
      5,
    ],
    [{ 'similar-output': { matches: 1 } }, 3, 2],
    [{}, 3, 3],
  ])('%j: exit code %i at %i', async (detectors, code, at) => {
    const ended = await place({ detectors }).unrut(
      'PROMPT.md',
      '--on-loop',
      'stop',
      '--',
      ...agent(`echo "${FIX}"`),
    );
    expect(briefly(ended)).toEqual({ code, iterations: at });
  });

  it('what explain recommends keeps the run quiet', async () => {
    const { unrut, command, home } = place();
    await unrut('PROMPT.md', '--on-loop', 'stop', '--', ...agent(`echo "${FIX}"`));
    const { stdout } = await command('explain', '--run');
    const [, remedy = ''] =
      /would have kept it quiet:\n((?:.*\n)+?) {3}Also tried/.exec(stdout) ?? [];
    const names = [...remedy.matchAll(/detectors\.([\w-]+) false/g)].map(([, name]) => name!);
    expect(names).not.toEqual([]);
    expect(stdout).not.toContain('without(');
    writeFileSync(
      join(home, 'unrut.config.json'),
      JSON.stringify({ detectors: Object.fromEntries(names.map((name) => [name, false])) }),
    );
    const again = await unrut(
      'PROMPT.md',
      '--max-iterations',
      '4',
      '--',
      ...agent(`echo "${FIX}"`),
    );
    expect(briefly(again)).toEqual({ code: 2, iterations: 4 });
  });
});

describe('--max-cost', () => {
  const WARNING =
    'The agent does not say what it costs, so --max-cost cannot end this run. --max-iterations and --max-runtime can.';
  const costs = (usd: string) =>
    agent(
      `echo '{"type":"result","subtype":"success","session_id":"s","result":"Wrote part '$n'.","total_cost_usd":${usd}}'`,
    );

  it.each([
    ['PROMPT.md', '--max-iterations'],
    ['roadmap.yaml', '--max-iterations'],
  ])('of an agent that reports no cost is mentioned once: %s', async (file, limit) => {
    const { stderr } = await place().unrut(
      file,
      '--max-cost',
      '5',
      limit,
      '2',
      '--',
      ...agent('echo "Wrote part $n." | tee part$n.txt'),
    );
    expect(stderr.split(WARNING)).toHaveLength(2);
  });

  it('of an agent that reports it ends the run, and nothing is reported: the twin', async () => {
    const ended = await place().unrut('PROMPT.md', '--max-cost', '1', '--', ...costs('0.6'));
    expect(briefly(ended)).toEqual({ code: 2, iterations: 2 });
    expect(ended.stderr).toContain('max_cost');
    expect(ended.stderr).not.toContain(WARNING);
  });

  it('that is not given is not spoken of: the other twin', async () => {
    expect(
      (await place().unrut('PROMPT.md', '--max-iterations', '2', '--', ...agent('echo "Part $n."')))
        .stderr,
    ).not.toContain(WARNING);
  });
});

describe('a loop in the last iteration', () => {
  it('ends as a loop, and nobody says that it continues', async () => {
    const ended = await place().unrut(
      'PROMPT.md',
      '--max-iterations',
      '3',
      '--',
      ...agent(`echo "${FIX}"`),
    );
    expect(briefly(ended)).toEqual({ code: 3, iterations: 3 });
    expect(ended.stderr).not.toContain('continuing');
    expect(ended.stderr).toContain('Stopped in a loop after 3 iterations');
  });

  it('before the last one continues once: the twin', async () => {
    const ended = await place().unrut(
      'PROMPT.md',
      '--max-iterations',
      '4',
      '--',
      ...agent(`echo "${FIX}"`),
    );
    expect(briefly(ended)).toEqual({ code: 2, iterations: 4 });
    expect(ended.stderr).toContain('continuing; the agent is warned about the loop');
  });
});

it('what an agent started is ended, except what cleared its environment and left its group, as the docs say', async () => {
  const { unrut, folder } = place();
  const child = (name: string, how: string): string =>
    `${how} sh -c 'echo $$ > "$1"; sleep 780' - "$PWD/home/${name}" >/dev/null 2>&1 &`;
  const wait = (name: string): string => `while [ ! -s home/${name} ]; do sleep 0.05; done;`;
  const script = ['cleared', 'left', 'both'];
  const starts = `${child('cleared', 'env -i PATH="$PATH"')} ${child('left', 'setsid')} ${child('both', 'env -i PATH="$PATH" setsid')}`;
  const { code } = await unrut(
    'PROMPT.md',
    '--',
    ...agent(`${starts} ${script.map(wait).join(' ')} echo TASK_COMPLETE`),
  );
  expect(code).toBe(0);
  const [cleared, left, both] = script.map((name) =>
    Number(readFileSync(join(folder, 'home', name), 'utf8')),
  );
  onTestFinished(() => void process.kill(-both!, 'SIGKILL'));
  await vi.waitFor(
    () => expect([cleared, left].filter((pid) => isThere(pid!))).toEqual([]),
    20_000,
  );
  expect(isThere(both!)).toBe(true);
  expect(
    readFileSync(new URL('../../docs/run.md', import.meta.url), 'utf8').replaceAll('\n', ' '),
  ).toContain('unless it has cleared its environment and left its process group');
});

describe('on the screen', () => {
  it('is what the agent does, and not only the name of its tool', async () => {
    const record = {
      type: 'assistant',
      session_id: 's',
      message: { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'npm test' } }] },
    };
    const done = { type: 'result', subtype: 'success', result: 'TASK_COMPLETE' };
    const { stdout } = await place().unrut(
      'PROMPT.md',
      '--',
      ...says([record, done].map((each) => JSON.stringify(each)).join('\n')),
    );
    expect(stdout).toContain('· Bash npm test');
  });
});

describe('help', () => {
  it('for run has the exit codes of run, however it is asked for', async () => {
    const { command } = place();
    const codes =
      'Exit codes: 0 done, 1 unexpected error, 2 limit or budget reached, 3 loop, 4 human needed, 64 usage error, 130 interrupted.';
    for (const args of [
      ['help', 'run'],
      ['run', '--help'],
    ])
      expect((await command(...args)).stdout.replace(/\s+/g, ' ')).toContain(codes);
  });

  it('for all commands says that run has codes of its own, and for another command has not those of run: the twin', async () => {
    const { command } = place();
    expect((await command('--help')).stdout).toContain(
      'unrut run and unrut cua have codes of their own',
    );
    expect((await command('help', 'config')).stdout).not.toContain('130 interrupted');
  });
});

describe('after a power loss', () => {
  /** What was asked of SQLite about waiting for the disk, by the program with these arguments. */
  async function asked(start: (place: Place) => Promise<unknown>): Promise<string[]> {
    const folder = newFolder();
    const log = join(folder, 'asked.log');
    writeFileSync(log, '');
    const preload = join(folder, 'tell.cjs');
    writeFileSync(
      preload,
      `const { DatabaseSync } = require('node:sqlite'); const { exec } = DatabaseSync.prototype;
       DatabaseSync.prototype.exec = function (sql) { for (const [, how] of sql.matchAll(/PRAGMA synchronous = (\\w+)/g)) require('node:fs').appendFileSync(${JSON.stringify(log)}, how + '\\n'); return exec.call(this, sql); };`,
    );
    vi.stubEnv('NODE_OPTIONS', `--require ${preload}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    await start(place());
    return [...new Set(readFileSync(log, 'utf8').trim().split('\n'))];
  }

  it('each iteration was on the disk before the next began', async () => {
    expect(
      await asked(({ unrut }) => unrut('PROMPT.md', '--', ...agent('echo TASK_COMPLETE'))),
    ).toEqual(['FULL']);
  });

  it('a hook waits for no disk: the twin', async () => {
    const ledger = createSqliteLedger({ path: join(newFolder(), 'ledger.db') });
    onTestFinished(() => ledger.close());
    expect(await asked(({ command }) => command('hook', 'claude-code'))).not.toContain('FULL');
  });

  it('the run continues with what the disk had when the power went: an iteration at most is missing', async () => {
    const { unrut, folder, home } = place();
    // While its third iteration runs, the agent takes a picture of what is on the disk.
    const script =
      'echo "part $n" > part$n.txt; [ $n = 3 ] && { mkdir home/disk; cp home/ledger.db* home/disk/; }; echo "Wrote part $n."';
    await unrut('PROMPT.md', '--max-iterations', '4', '--', ...agent(script));
    for (const name of ['ledger.db', 'ledger.db-wal'])
      writeFileSync(join(home, name), readFileSync(join(folder, 'home/disk', name)));
    writeFileSync(join(home, 'ledger.db-shm'), '');
    const { stdout } = await unrut('status');
    expect(stdout).toMatch(/was cut off; resume with unrut run --resume\n3 attempts/);
    const { code, stderr } = await unrut('--resume', '--', ...agent('echo TASK_COMPLETE'));
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('iteration 4 of 4');
  });
});

describe('an agent with short answers', () => {
  it('gets done what it has to, as long as it changes something', async () => {
    const ended = await place().unrut(
      'PROMPT.md',
      '--',
      ...agent('echo "export const p = $n;" > p$n.ts; [ $n = 6 ] && echo TASK_COMPLETE || echo ok'),
    );
    expect(briefly(ended)).toEqual({ code: 0, iterations: 6 });
  });

  it('and changes nothing is in a loop at the third: the twin', async () => {
    expect(
      briefly(await place().unrut('PROMPT.md', '--on-loop', 'stop', '--', ...agent('echo ok'))),
    ).toEqual({ code: 3, iterations: 3 });
  });

  it('is reported in the docs, and that this replaces a while loop', () => {
    const docs = readFileSync(new URL('../../docs/run.md', import.meta.url), 'utf8');
    expect(docs).toContain('This replaces your `while :; do cat PROMPT.md | claude -p; done`');
    expect(docs).toContain(
      'Agents with short, equal answers are fine as long as they change something.',
    );
  });
});

it.each([
  [90, true],
  [10, false],
])(
  'what is to be kept for %i days is kept by a run, as by hooks: of 40 days ago %s',
  async (days, isKept) => {
    const { unrut, home } = place({ ledger: { retention: { days } } });
    const path = join(home, 'ledger.db');
    const fortyDaysAgo = Date.now() - 40 * 86_400_000;
    const before = createSqliteLedger({ path, retention: { days }, now: () => fortyDaysAgo });
    await before.saveState('earlier', 1);
    await before.close();
    await unrut('PROMPT.md', '--', ...agent('echo TASK_COMPLETE'));
    const after = createSqliteLedger({ path, retention: { days } });
    onTestFinished(() => after.close());
    expect(await after.loadState('earlier')).toBe(isKept ? 1 : null);
  },
);
