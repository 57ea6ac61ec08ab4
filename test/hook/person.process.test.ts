import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import type { Payload } from '../hosts/hook-process.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { inLedger, newFolder, runHook } from './hook-command.ts';
import { runProgram } from './run-program.ts';

const claude = LOOPING['claude-code'];
const { cli } = bundledPrograms();
const SESSION = claude.before(1).session_id as string;

const START = {
  hook_event_name: 'SessionStart',
  session_id: SESSION,
  transcript_path: '/x/.claude/t.jsonl',
  source: 'startup',
};

/** An agent that loops in a project, and a person at a terminal there. */
function place() {
  const home = newFolder();
  const project = join(home, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  const hook = (payload: object, environment: Record<string, string> = {}) =>
    runHook(home, { ...payload, cwd: project }, { HOME: home, ...environment });
  let next = 1;
  return {
    home,
    project,
    hook,
    unrut: (...args: string[]) =>
      runProgram(process.execPath, [cli, ...args], project, { HOME: home, UNRUT_HOME: home }),
    /** Makes this many further tries: what the agent and the user read. */
    async loop(tries: number, environment: Record<string, string> = {}): Promise<Payload[]> {
      const told: Payload[] = [];
      for (const end = next + tries; next < end; next++)
        for (const payload of [claude.before(next), ...claude.after(next)]) {
          const { stdout } = await hook(payload, environment);
          if (stdout !== '') told.push(JSON.parse(stdout) as Payload);
        }
      return told;
    },
    async says(prompt: string): Promise<string> {
      const { stdout } = await hook({
        hook_event_name: 'UserPromptSubmit',
        session_id: SESSION,
        transcript_path: '/x/.claude/t.jsonl',
        prompt,
      });
      return stdout === ''
        ? ''
        : (JSON.parse(stdout) as { decision: string; reason: string }).reason;
    },
    async starts(): Promise<string> {
      const { stdout } = await hook(START);
      return stdout === '' ? '' : (JSON.parse(stdout) as { systemMessage: string }).systemMessage;
    },
  };
}

const isRefused = (told: readonly Payload[]): boolean => told.some((each) => claude.refuses!(each));

test.each([
  ['as they are typed where the PATH has them', true, 'unrut'],
  ['through npx elsewhere', false, 'npx unrut'],
])('what reaches a person names the commands that tell more, %s', async (_, isInstalled, word) => {
  const { loop, home } = place();
  if (isInstalled) writeFileSync(join(home, 'unrut'), '');
  const [note] = await loop(3, { PATH: home });
  const { systemMessage } = note as { systemMessage: string };
  expect(systemMessage).toMatch(/^Unrut told the agent: /);
  expect(systemMessage.replace(/^.*\(/s, '(')).toBe(`(${word} show s; wrong? ${word} false-alarm)`);
});

test.each([
  ['says so in the prompt', ({ says }: ReturnType<typeof place>) => says('unrut on')],
  [
    'types it in a terminal',
    ({ unrut }: ReturnType<typeof place>) => unrut('on', '--session', SESSION).then(String),
  ],
])(
  'in a session that is only recorded for a trial, Unrut acts once somebody %s',
  async (_, say) => {
    const here = place();
    const trial = { UNRUT_TRIAL_SHARE: '1' };
    expect(await here.loop(6, trial)).toEqual([]);
    await say(here);
    expect(isRefused(await here.loop(6, trial))).toBe(true);
    const { stdout } = await here.unrut('stats', '--trial', '--json');
    expect((JSON.parse(stdout) as { trials: object[] }).trials).toMatchObject([
      { left: 1, guarded: 0, recorded: 0 },
    ]);
  },
);

test('what an alarm names can be pasted into the prompt, and the model is not asked', async () => {
  const { loop, says } = place();
  await loop(3);
  const why = await says('unrut why');
  expect(await says('npx unrut show s')).toBe(why);
  expect(await says('unrut show')).toBe(why);
  expect(await says('unrut doctor')).toMatch(/^Unrut: in a terminal, type (?:npx )?unrut doctor$/);
  expect(await says('npx unrut false-alarm')).toContain('Noted as a false alarm');
  expect(await says('unrut show me how the loop works')).toBe('');
  expect(await says('npx vitest run')).toBe('');
});

describe('after an installation', () => {
  /** A session that starts, in a terminal or not, with this word of its settings. */
  const started = async (
    { hook }: ReturnType<typeof place>,
    environment: Record<string, string> = {},
  ): Promise<string> => (await hook(START, environment)).stdout;

  test('the first session says once that Unrut is watching', async () => {
    const at = place();
    await at.unrut('install', 'claude-code');
    expect(await at.starts()).toMatch(/^Unrut is watching\. It speaks only when/);
    expect(await at.starts()).toBe('');
    await at.unrut('install', 'claude-code');
    expect(await at.starts()).toBe('');
  });

  test('a session that nobody watches leaves it to the next one', async () => {
    const at = place();
    await at.unrut('install', 'claude-code');
    expect(await started(at, { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' })).toBe('');
    expect(await at.starts()).toMatch(/^Unrut is watching\./);
  });

  test('one that only records says so', async () => {
    const at = place();
    await at.unrut('install', 'claude-code', '--shadow');
    expect(await started(at, { UNRUT_SHADOW: 'true' })).toContain('It only records');
  });

  test('without one, or tried only, nothing is said', async () => {
    const at = place();
    await at.unrut('install', 'claude-code', '--dry-run');
    expect(await at.starts()).toBe('');
  });
});

describe('switched off', () => {
  test('in the project, it says nothing in it until it is switched on, and still records', async () => {
    const { unrut, loop, starts, home } = place();
    expect(await starts()).toBe('');
    expect((await unrut('off')).stdout).toMatch(/Unrut is off in .*project: .*unrut on/);
    expect(await starts()).toMatch(/^Unrut is off in .*Switch it on: unrut on$/);
    expect(await loop(4)).toEqual([]);
    expect((await unrut('show', '--list')).stdout).toContain('(off)');
    expect((await unrut('show', SESSION)).stdout).toMatch(/Unrut\s+is\s+switched\s+off/);
    expect((await unrut('config')).stdout).toContain('switched off in');
    expect(await inLedger(home, (ledger) => ledger.entries({ kind: 'plan' }))).not.toEqual([]);
    expect((await unrut('on')).stdout).toContain('Unrut is on in');
    expect(await starts()).toBe('');
    expect((await loop(4)).length).toBeGreaterThan(0);
    expect((await unrut('show', '--list')).stdout).not.toContain('(off)');
  });

  test('for a time, it is on again afterwards', async () => {
    const { unrut, home } = place();
    expect((await unrut('off', '--for', '1h')).stdout).toMatch(/until \d\d:\d\d/);
    const { off } = JSON.parse((await unrut('config', '--json')).stdout).said as {
      off: { until: number }[];
    };
    expect(off[0]!.until - Date.now()).toBeLessThanOrEqual(3_600_000);
    writeFileSync(
      join(home, 'said.json'),
      JSON.stringify({ off: [{ ...off[0], until: Date.now() - 1 }] }),
    );
    expect((await unrut('config', '--json')).stdout).toContain('"off": []');
    expect(await unrut('off', '--for', 'ever')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('a time such as 30m'),
    });
  });

  test('by the prompt of an agent, it is off in that session alone, and the model is not asked', async () => {
    const { says, loop, hook } = place();
    expect(await says('unrut off')).toMatch(/^Unrut is off for this session: .*unrut on/);
    expect(await loop(4)).toEqual([]);
    const other = async (n: number) =>
      (await Promise.all([hook({ ...claude.before(n), session_id: 'other' })])).concat(
        ...(await Promise.all(
          claude.after(n).map((each) => hook({ ...each, session_id: 'other' })),
        )),
      );
    const told: string[] = [];
    for (const n of [1, 2, 3])
      told.push(...(await other(n)).map(({ stdout }) => stdout).filter(Boolean));
    expect(told.length).toBeGreaterThan(0);
    expect(await says('/unrut on')).toBe('Unrut is on.');
    expect(await says('/unrut status')).toMatch(/^Unrut: /);
  });
});

test('switched on for one session or everywhere, as it was switched off', async () => {
  const { unrut, loop } = place();
  await loop(1);
  await unrut('off', '--session', SESSION);
  await unrut('off');
  expect((await unrut('on', '--session', SESSION)).stdout).toMatch(
    /^Unrut is still off in .*project\.$/m,
  );
  await unrut('off', '--session', SESSION);
  expect((await unrut('on', '--everywhere')).stdout).toBe('Unrut is on everywhere.\n');
  expect(JSON.parse((await unrut('config', '--json')).stdout).said.off).toEqual([]);
});

test('our name alone is answered with what can be typed, in the form in which it was typed', async () => {
  const { says, loop, hook } = place();
  expect(await says('unrut')).toMatch(
    /^Unrut: quiet\nYou can type: unrut status · unrut off · .*\n.*unrut install claude-code --statusline$/,
  );
  const [note] = await loop(3);
  expect(await says('/unrut:unrut')).toContain(
    'You can type: /unrut:unrut status · /unrut:unrut off · ',
  );
  expect(await says('/unrut off')).toContain('Type /unrut on to switch it on.');
  // The message and its explanation are the same.
  const [, seen] = /^Unrut told the agent: (.*)\. \(/.exec(note!.systemMessage as string)!;
  expect(await says('/unrut why')).toContain(`Unrut: ${seen} (seen by repeated-call). `);
  const { stdout } = await hook({
    hook_event_name: 'UserPromptSubmit',
    session_id: SESSION,
    transcript_path: '/x/.claude/t.jsonl',
    prompt: 'unrut',
  });
  expect(JSON.parse(stdout)).toMatchObject({
    decision: 'block',
    hookSpecificOutput: { suppressOriginalPrompt: true },
  });
});

test('a prompt that only begins with the name is for the model', async () => {
  const { says } = place();
  for (const prompt of [
    'unrut is great, install it',
    'unrut off the table and on the floor',
    'please run unrut off',
  ])
    expect(await says(prompt)).toBe('');
});

describe('a false alarm', () => {
  test('once means less force, twice means silence, and taken back it is as before', async () => {
    const { unrut, loop, home } = place();
    expect(isRefused(await loop(6))).toBe(true);
    expect((await unrut('false-alarm')).stdout).toMatch(
      /Noted as a false alarm: the call `.*no more than a note.*Undo: npx unrut false-alarm --undo/,
    );
    const [kept] = await inLedger(home, (ledger) =>
      ledger.context({ topics: ['unrut/false-alarm'] }),
    );
    expect(kept).toMatchObject({
      session: SESSION,
      metadata: { scope: 'call', times: 1, keys: expect.any(Array), detectors: expect.any(Array) },
    });
    expect(isRefused(await loop(6))).toBe(false);
    expect((await unrut('false-alarm')).stdout).toContain('says nothing about it');
    expect((await unrut('config')).stdout).toMatch(/1\. the call `.*`: silence/);
    expect(await loop(6)).toEqual([]);
    expect((await unrut('false-alarm', '--undo')).stdout).toContain('counts again');
    expect((await unrut('false-alarm', '--list')).stdout).toContain('Nothing was forgiven.');
    expect(isRefused(await loop(10))).toBe(true);
  });

  test.each([['tool'], ['project']])(
    'for the %s can be given in the agent too, and holds for other calls',
    async (scope) => {
      const { says, loop, unrut } = place();
      await loop(3);
      for (let times = 0; times < 2; times++)
        expect(await says(`/unrut false-alarm ${scope}`)).toContain('Noted as a false alarm');
      expect(await loop(4)).toEqual([]);
      expect((await unrut('false-alarm', '--list')).stdout).toMatch(
        scope === 'tool' ? /every call of `.*`: silence/ : /in this project: silence/,
      );
      expect(await says('unrut false-alarm --undo')).toContain('counts again');
    },
  );

  test('is not there before an alarm, which is said', async () => {
    const { unrut, says } = place();
    expect(await unrut('false-alarm')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing to forgive'),
    });
    expect(await says('unrut false-alarm')).toBe('Unrut has raised no alarm in this session.');
  });

  test('is reported in a file without secrets, and nothing is sent', async () => {
    const { unrut, loop, home } = place();
    await loop(4);
    await unrut('false-alarm');
    expect((await unrut('false-alarm', '--report')).stdout).toMatch(
      /Wrote .*unrut-report\.json\. Nothing was sent/,
    );
    const { stdout } = await unrut('false-alarm', '--report', '--output', '-');
    const report = JSON.parse(stdout) as { falseAlarms: object[]; entries: object[] };
    expect([report.falseAlarms.length, report.entries.length > 5]).toEqual([1, true]);
    expect(stdout).not.toContain(home);
  });
});

test('the status line says quiet, watching, looping and what was done, or off', async () => {
  const { home, project, loop, unrut } = place();
  const line = async (): Promise<string> =>
    (
      await runProgram(
        process.execPath,
        [cli, 'statusline'],
        project,
        { HOME: home, UNRUT_HOME: home },
        JSON.stringify({ session_id: SESSION, cwd: project }),
      )
    ).stdout.trim();
  expect(await line()).toBe('Unrut: quiet');
  await loop(1);
  expect(await line()).toBe('Unrut: watching');
  await loop(4);
  expect(await line()).toMatch(/^Unrut: looping ×\d+ .*, (?:warned|suggested next steps|blocked)$/);
  await unrut('off');
  expect(await line()).toMatch(/^Unrut: off in .* \(unrut on\)$/);
});

describe('when a session starts', () => {
  test('a person learns that the ledger cannot be used', async () => {
    const { home, starts } = place();
    mkdirSync(join(home, 'ledger.db'));
    expect(await starts()).toMatch(
      /^Unrut cannot record here, so it detects no loops: .* See unrut doctor\.$/,
    );
  });

  test('a person learns that a config which is not trusted makes it record only', async () => {
    const { project, starts, unrut, loop } = place();
    writeFileSync(join(project, 'unrut.config.js'), 'export default {};');
    expect(await starts()).toMatch(
      /^Unrut only records here\. .*unrut\.config\.js.*trust.* See (?:npx )?unrut config\.$/s,
    );
    expect(await loop(4)).toEqual([]);
    expect((await unrut('show', '--list')).stdout).toContain('(record-only)');
  });
});
