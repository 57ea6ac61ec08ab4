import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noColours } from '@unrut/ledger/text/paint';
import { explainRun } from '@unrut/logs/explain/explain-run';
import { explainStep } from '@unrut/logs/explain/explain-step';
import { readLedgerRun } from '@unrut/logs/explain/read-ledger-run';
import { runText } from '@unrut/logs/explain/run-text';
import { describe, expect, it } from 'vitest';
import { drive } from './drive.ts';
import { badAgent, makePlace } from './place.ts';

/** What is said of a run whose iterations printed this, from what the ledger keeps of it. */
async function explained(outputs: readonly string[], choose: 'continue' | 'stop' = 'stop') {
  const { ledger } = await drive((i) => outputs[i - 1] ?? 'TASK_COMPLETE', {
    choose: async () => choose,
  });
  const source = { ...(await readLedgerRun(ledger, 'run-test')), file: 'ledger.db' };
  const run = explainRun(source);
  const near = (step: number) =>
    explainStep(source, step).near.sort((one, other) => one.step - other.step);
  return { ...run, near, text: runText(run, { paint: noColours, width: 200 }).join('\n') };
}

/** Says something else each time, and does nothing. The prompt tells it which iteration it is. */
const ESSAYIST = [
  'sh',
  '-c',
  'n=$(sed -n "s/.*This is iteration \\([0-9]*\\).*/\\1/p"); set -- "The cache is the heart of the matter." "On the history of login forms." "Testing is a way of thinking." "Three kinds of tokens, and a fourth." "A short theory of retries." "Names are hard."; shift $(( (n - 1) % 6 )); echo "$1"',
];

const FIX = 'Fixed auth.ts - added null check';

describe('a run in the ledger is explained', () => {
  it('its steps are its iterations, and what somebody decided in between is known', async () => {
    const { loops, steps } = await explained(Array(7).fill(FIX), 'continue');
    expect(loops.map(({ start, end }) => [start, end])).toEqual([
      [1, 3],
      [4, 6],
    ]);
    expect(steps).toBe(8);
    expect(loops[0]?.steps.map(({ step, brought }) => [step, brought])).toEqual(
      [1, 2, 3].map((step) => [step, loops[0]!.steps[0]!.brought]),
    );
  });

  it('with the signature, how many outputs have it, and what would have separated them', async () => {
    const { loops, text } = await explained(['Read the code.', FIX, FIX, FIX]);
    expect(loops[0]?.signature).toMatchObject({
      signature: 'file:auth.ts:null-check:added',
      has: 3,
      of: 4,
      alike: 1,
      isGeneric: false,
    });
    expect(text).toContain(
      '3 of 4 outputs have it. It is made of the files and what was done to them',
    );
    expect(text).toContain(
      'what would have told them apart: another file, or something else done to it',
    );
  });

  it.each([
    [
      "Error: TypeError - Cannot read property 'id' of null at auth.ts:45",
      'The same error again and again',
    ],
    ['2 tests failing - auth, login', 'The same error again and again'],
    [FIX, 'The same file, the same action'],
  ])('found too often: %j is %s', async (output, symptom) => {
    const { tooOften } = await explained([output, output, output]);
    expect(tooOften.map((each) => each.symptom)).toEqual([`${symptom} (steps 1 to 3)`]);
  });

  it('found too often: a signature is generic when the outputs have little else in common', async () => {
    const error = "Error: TypeError - Cannot read property 'id' of null at auth.ts:45";
    const { loops, tooOften } = await explained([
      `${error}\nI asked the gateway for its table, and drew a map of all the routes that it knows about.`,
      `${error}\nThen 14 pages on cables, switches, plugs; who would have thought that none of these was to blame?`,
      `${error}\nPerhaps tomorrow. Full moon, which may well be why, says my neighbour (a plumber).`,
    ]);
    expect(loops[0]?.signature).toMatchObject({ isGeneric: true });
    expect(tooOften.map(({ symptom }) => symptom)).toContain(
      'Outputs that differ are called the same (steps 1 to 3)',
    );
    expect(tooOften.at(-1)?.cause).toContain('the signature is generic: ');
  });

  it('not found: signatures that differ slightly are named', async () => {
    const { loops, near } = await explained([
      `${FIX}, tidied imports`,
      `${FIX}, renamed the handler`,
      `${FIX}, deleted a comment that was no longer true`,
    ]);
    expect(loops).toEqual([]);
    expect(near(3)).toMatchObject(
      [1, 2].map((step) => ({
        step,
        differs: [{ name: 'signature', before: expect.stringMatching(/^file:auth/) }],
      })),
    );
  });

  it('not found: what comes back only after others is named, with the option that would have found it', async () => {
    const [again, ...others] = [
      'The queue of the printer was empty when I looked at it.',
      ...[
        'Read the manual of the form library.',
        'Asked for the logs of the server.',
        'Drew a map of the routes.',
        'Counted the open sockets.',
      ],
    ] as [string, ...string[]];
    const outputs = [again, others[0]!, others[1]!, again, others[2]!, others[3]!, again];
    const { loops, nearly, text } = await explained(outputs);
    expect(loops).toEqual([]);
    expect(nearly[0]).toMatchObject({
      start: 1,
      setting: { options: { 'similar-output': { matches: 1 } } },
    });
    expect(text).toContain('it would be a loop with similar-output.matches 1 (now 2)');
  });

  it('not found: fewer failures are progress, and nothing is said against that', async () => {
    const { loops, nearly } = await explained([
      '3 tests failing - auth, login, logout',
      '2 tests failing - auth, login',
      '1 test failing - auth',
    ]);
    expect({ loops, nearly }).toEqual({ loops: [], nearly: [] });
  });

  it('and it is said when an output was too long to be kept', async () => {
    const long = (i: number) =>
      `${'x'.repeat(3000)}\nError: TypeError - null at part${'abc'[i]}.ts:4\n${'y'.repeat(3000)}`;
    const { limits } = await explained([long(0), long(1)]);
    expect(limits).toEqual([
      'The ledger keeps only the start and end of long outputs: at step 1, 2 the original signature was different.',
    ]);
  });
});

describe('unrut explain --run', () => {
  it('explains a run with the threshold that it was run with, by the beginning of its name', async () => {
    const { unrut, command } = makePlace();
    const { stderr } = await unrut(
      'PROMPT.md',
      '--on-loop',
      'stop',
      '--loop-threshold',
      '2',
      '--',
      ...badAgent('same-fix'),
    );
    const run = /unrut explain --run (\S+)/.exec(stderr)![1]!;
    const { code, stdout } = await command('explain', '--run', run.slice(0, -2));
    expect(code).toBe(0);
    expect(stdout).toContain(`${run}: 1 loop in 2 steps`);
    expect(stdout).toContain('output-signature: threshold 2, window 5');
    expect(stdout).toContain('output-signature.threshold 3 (now 2)');
    expect(stdout).toMatch(/unrut\s+run --loop-threshold N/);
    expect(JSON.parse((await command('explain', '--run', run, '--json')).stdout)).toMatchObject({
      run: { id: run, format: 'unrut-ledger' },
    });
    expect((await command('explain', '--run', run, '--step', '2')).stdout).toContain(
      `Step 2 of ${run}`,
    );
  });

  it('leaves out a detector that was switched off for the run, whatever the settings say now', async () => {
    const { unrut, command, home } = makePlace();
    const config = join(home, 'unrut.config.json');
    writeFileSync(config, JSON.stringify({ detectors: { 'nothing-changed': false } }));
    const run = async () => {
      await unrut('PROMPT.md', '--max-iterations', '6', '--', ...ESSAYIST);
      return (await command('explain', '--run')).stdout;
    };
    expect(await run()).toContain('no loop in 6 steps');
    writeFileSync(config, '{}');
    expect((await command('explain', '--run')).stdout).toContain('no loop in 6 steps');
    expect(await run()).toContain('nothing-changed (talk), detected at step 5');
  });

  it('uses the thresholds of the settings that the run had', async () => {
    const { unrut, command, home } = makePlace();
    const config = join(home, 'unrut.config.json');
    const detectors = { 'output-signature': { threshold: 4 }, 'similar-output': false };
    writeFileSync(
      config,
      JSON.stringify({ detectors: { ...detectors, 'nothing-changed': false } }),
    );
    await unrut('PROMPT.md', '--on-loop', 'stop', '--', ...badAgent('same-fix'));
    writeFileSync(config, '{}');
    const { stdout } = await command('explain', '--run');
    expect(stdout).toContain('1 loop in 4 steps');
    expect(stdout).toContain('output-signature (files), detected at step 4');
    expect(stdout).toContain('output-signature: threshold 4, window 5');
  });

  it('explains the attempts at the tasks of a roadmap', async () => {
    const { unrut, command } = makePlace({
      'roadmap.yaml': 'tasks:\n  - id: T1\n    prompt: Do it.\n',
    });
    await unrut('roadmap.yaml', '--', ...badAgent('same-fix'));
    const { stdout } = await command('explain', '--run', 'run-');
    expect(stdout).toContain('task-loop (no_progress_repeat), detected at step 3');
    expect(stdout).toContain('task T1 · attempt 1  in_progress: no work reported');
    expect(stdout).toContain('task-loop.threshold 4 (now 3): seen at step 4, by task-loop');
  });

  it('says of an agent’s own session that its calls are not kept', async () => {
    const { command, home } = makePlace();
    const { createSqliteLedger } = await import('@unrut/ledger/sqlite');
    const { recordTo } = await import('../../packages/cli/src/index.ts');
    const ledger = createSqliteLedger({ path: `${home}/ledger.db` });
    const call = { id: '1', tool: 'Bash', args: { command: 'npm test' } };
    await recordTo(ledger).observe({
      type: 'call-finished',
      session: 'inner',
      at: 1,
      call,
      result: 'ok',
    });
    await ledger.close();
    const { code, stderr } = await command('explain', '--run', 'inner');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('See unrut show inner'),
    });
  });
});
