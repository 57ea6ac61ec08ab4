import { describe, expect, it } from 'vitest';
import {
  createGuard,
  detectOutputLoop,
  extractSignature,
  without,
} from '../../packages/cli/src/index.ts';
import { drive } from './drive.ts';

/** One output after the other. */
const inTurn =
  (...outputs: string[]) =>
  (iteration: number): string =>
    outputs[iteration - 1] ?? 'TASK_COMPLETE';

describe('the signature of', () => {
  it.each([
    [
      'test outputs',
      'Running tests... 2 failed: auth.test.ts - login test timeout, logout test assertion',
      'auth.test.ts:login-timeout,logout-assertion',
    ],
    [
      'implementation outputs',
      'Modified auth.ts line 45-52, added null check for user.profile',
      'auth.ts:null-check',
    ],
    [
      'research outputs',
      "Searched GitHub for 'oauth2 refresh token', found 3 patterns...",
      'search:oauth2-refresh-token',
    ],
    [
      'error outputs',
      "Error: TypeError - Cannot read property 'id' of null at auth.ts:45",
      'error:TypeError-null-auth.ts',
    ],
  ])('%s names what was done or what went wrong', (_, output, part) => {
    expect(extractSignature(output)).toContain(part);
  });
});

it('the signatures of falling failures differ', () => {
  const signatures = [
    '3 tests failing - auth, login, logout',
    '2 tests failing - auth, login',
    '1 test failing - auth',
  ].map(extractSignature);
  expect(signatures).toEqual([
    'test-fail:3-auth,login,logout',
    'test-fail:2-auth,login',
    'test-fail:1-auth',
  ]);
});

it('errors are looked for first, then failing tests, then files', () => {
  const [error, tests, file] = [
    "TypeError: Cannot read property 'id' of null at auth.ts:45",
    '2 tests failing - auth, login',
    'Updated auth.ts',
  ];
  expect(extractSignature([file, tests, error].join('\n'))).toMatch(
    /^error:TypeError-null-auth\.ts/,
  );
  expect(extractSignature([file, tests].join('\n'))).toMatch(/^test-fail:2-auth,login/);
  expect(extractSignature(file!)).toBe('file:auth.ts:updated');
});

it('anything else is known by its whole text, not by its first fifty characters', () => {
  const opening = 'I thought about the plan for the next release and';
  const [one, other] = [`${opening} chose the blue one.`, `${opening} wrote to everybody.`];
  expect(one.slice(0, opening.length)).toBe(other.slice(0, opening.length));
  expect(extractSignature(one)).not.toBe(extractSignature(other));
  expect(extractSignature(one)).toBe(
    extractSignature(one.toUpperCase().toLowerCase().replace('i thought', 'I thought')),
  );
});

describe('the sliding window', () => {
  it('a, b, a, a is no loop at the fourth; a, b, a, a, a is one at the fifth', () => {
    const [a, b] = ['Fixed auth.ts - added null check', 'Fixed auth.ts - updated validation'];
    const seen: string[] = [];
    const loops = [a, b, a, a, a].map((output) => {
      const isLoop = detectOutputLoop(output, seen);
      seen.push(extractSignature(output));
      return isLoop;
    });
    expect(loops).toEqual([false, false, false, false, true]);
  });

  it('keeps five signatures', () => {
    const guard = createGuard();
    const outputs = [
      ...'abcd'.split('').map((name) => `Wrote ${name}.ts`),
      ...Array<string>(3).fill('Fixed auth.ts - added null check'),
    ];
    const observed = outputs.map((output, at) =>
      guard.observe({ type: 'output-finished', session: 's', at: at * 1000, output }),
    );
    expect(observed.at(-1)?.signals[0]?.evidence.facts.history).toEqual(
      outputs.slice(-5).map(extractSignature),
    );
  });

  it('is a loop at the third in a row, after others', async () => {
    const [a, b] = ['Fixed auth.ts - added null check', 'Fixed auth.ts - updated validation'];
    const { ending, state } = await drive(inTurn(a, b, a, a, a), {
      guard: { preset: without('similar-output') },
    });
    expect({ ending, iteration: state.iteration }).toEqual({ ending: 'loop', iteration: 5 });
  });

  it.each([
    [2, 1],
    [3, 2],
    [4, 3],
  ])('with a threshold of %i asks for %i equal ones before', (threshold, before) => {
    const signature = 'file:auth.ts:null-check:added';
    expect(detectOutputLoop(signature, Array(before).fill(signature), threshold)).toBe(true);
    expect(detectOutputLoop(signature, Array(before - 1).fill(signature), threshold)).toBe(false);
  });
});

describe('the examples', () => {
  it('true loop: the same fix three times is detected at the third', async () => {
    const { ending, state } = await drive(() => 'Fixed auth.ts - added null check');
    expect({ ending, iteration: state.iteration }).toEqual({ ending: 'loop', iteration: 3 });
  });

  it('false positive: different actions on the same file are progress', async () => {
    const { ending } = await drive(
      inTurn(
        'Fixed auth.ts - added null check',
        'Fixed auth.ts - updated validation',
        'Fixed auth.ts - refactored handler',
      ),
    );
    expect(ending).toBe('done');
  });

  it('edge case: fewer failing tests each time are progress', async () => {
    const { ending } = await drive(
      inTurn(
        '3 tests failing - auth, login, logout',
        '2 tests failing - auth, login',
        '1 test failing - auth',
      ),
    );
    expect(ending).toBe('done');
  });

  it('the same action in other words is a loop', async () => {
    const { ending, report } = await drive(
      inTurn(
        'Fixed auth.ts - added null check',
        'I have now fixed auth.ts, and added a null check for the profile.',
        'auth.ts is fixed. Added null check',
      ),
    );
    expect(ending).toBe('loop');
    expect(report).toContain('**Signature**: `file:auth.ts:null-check:added`');
  });

  it('a threshold of three allows one retry', async () => {
    const { ending } = await drive(
      inTurn('Fixed auth.ts - added null check', 'Fixed auth.ts - added null check'),
    );
    expect(ending).toBe('done');
  });
});

describe('the safety guards', () => {
  const sameError = { output: 'Error: TypeError - null at auth.ts:45', exitCode: 1, failed: true };
  const otherErrors = (iteration: number) => ({
    output: `Error: ${['no route to host', 'the disk is full', 'segment is missing', 'unknown colour'][iteration % 4]}`,
    exitCode: 1,
    failed: true,
  });

  it('max_iterations: 10 runs ten', async () => {
    const { ending, reason, state } = await drive((i) => `Wrote chapter ${i}`, {
      settings: { maxIterations: 10 },
    });
    expect(ending).toBe('limit');
    expect(reason).toMatch(/^max_iterations: /);
    expect(state.iteration).toBe(10);
  });

  it('max_iterations is checked before max_runtime', async () => {
    const { reason } = await drive(() => ({ output: 'x', takes: 60_000 }), {
      settings: { maxIterations: 1, maxRuntime: 60_000 },
    });
    expect(reason).toMatch(/^max_iterations: /);
  });

  it('max_runtime is checked before an iteration', async () => {
    const { reason, state } = await drive(
      (i) => ({ output: `Wrote chapter ${i}`, takes: 40_000 }),
      { settings: { maxRuntime: 60_000 } },
    );
    expect(reason).toMatch(/^max_runtime: /);
    expect(state.iteration).toBe(2);
  });

  it('consecutive_errors comes before loop detection: a broken command is no loop, however alike its errors are', async () => {
    const { ending, reason, state } = await drive(() => sameError, { settings: { maxErrors: 3 } });
    expect({ ending, errors: state.errors, iteration: state.iteration }).toEqual({
      ending: 'limit',
      errors: 3,
      iteration: 3,
    });
    expect(reason).toMatch(
      /^consecutive_errors: 3 iterations in a row failed, the last like this: /,
    );
  });

  it('errors that are fewer than the limit are judged for loops, and continuing does not count them again', async () => {
    const { ending, state } = await drive(() => sameError, {
      settings: { maxErrors: 5 },
      choose: async () => 'continue',
    });
    expect({ ending, errors: state.errors, continued: state.continued }).toEqual({
      ending: 'limit',
      errors: 5,
      continued: 1,
    });
  });

  it('loop detection does not wait for the other guards, and a loop in the last iteration ends as a loop', async () => {
    const options = { settings: { maxIterations: 3 }, choose: async () => 'continue' as const };
    const { ending } = await drive(() => 'Fixed auth.ts - added null check', options);
    expect(ending).toBe('loop');
  });

  it('consecutive_errors ends the run after the third failure', async () => {
    const { ending, reason, state } = await drive(otherErrors);
    expect(ending).toBe('limit');
    expect(reason).toMatch(/^consecutive_errors: /);
    expect(state.iteration).toBe(3);
  });

  it('a success resets consecutive_errors', async () => {
    const { reason } = await drive((i) => (i % 3 === 0 ? `Wrote chapter ${i}` : otherErrors(i)), {
      settings: { maxIterations: 9 },
    });
    expect(reason).toMatch(/^max_iterations: /);
  });

  it('max_cost is checked before an iteration', async () => {
    const { reason, state } = await drive(
      (i) => ({ output: `Wrote chapter ${i}`, cost: { usd: 0.6 } }),
      { settings: { maxCost: 1 } },
    );
    expect(reason).toMatch(/^max_cost: /);
    expect(state.iteration).toBe(2);
  });

  it('completion is checked before the limits', async () => {
    const { ending } = await drive(() => 'TASK_COMPLETE', {
      settings: { maxIterations: 1, maxRuntime: 1000 },
    });
    expect(ending).toBe('done');
  });
});

describe('the escalation report', () => {
  it('has the pattern, the signature, the history and the options', async () => {
    const { report } = await drive(
      inTurn(
        'Read auth.ts',
        'Searched for tests',
        ...Array<string>(3).fill('Fixed auth.ts - added null check'),
      ),
    );
    expect(report).toBe(`## Loop Detected

**Pattern**: Same output signature repeated 3 times
**Signature**: \`file:auth.ts:null-check:added\`

**Iteration history**:

- Iteration 3: Fixed auth.ts - added null check
- Iteration 4: Fixed auth.ts - added null check
- Iteration 5: Fixed auth.ts - added null check ← Loop detected

**Options**:

1. **Continue with different approach** - The agent is told what was tried, and to try something else
2. **Review and debug** - The run pauses, so that you can see why the same attempt keeps failing
3. **Cancel** - Stop the task
`);
  });

  it('has no options where nobody is asked', async () => {
    const { report } = await drive(() => 'Fixed auth.ts - added null check', { isAsked: false });
    expect(report).toMatch(/- Iteration 3: Fixed auth\.ts - added null check ← Loop detected\n$/);
  });

  it('has what the agent said in its history, and what that came to in its signature', async () => {
    const { report } = await drive((i) =>
      i < 5
        ? `Wrote chapter ${i}`
        : "Fixed auth.ts - added null check\nError: TypeError - Cannot read property 'id' of null at auth.ts:45",
    );
    expect(report).toContain(`**Pattern**: Same output signature repeated 3 times
**Signature**: \`error:TypeError-null-auth.ts\`

**Iteration history**:

- Iteration 5: Fixed auth.ts - added null check
- Iteration 6: Fixed auth.ts - added null check
- Iteration 7: Fixed auth.ts - added null check ← Loop detected
`);
  });

  it('is stored', async () => {
    const { report, ledger } = await drive(() => 'Fixed auth.ts - added null check');
    const [entry] = await ledger.context({ session: 'run-test', topics: ['loop_escalation'] });
    expect(entry?.content).toBe(report);
  });

  it.each([
    ['continue', 'limit', 10],
    ['escalate', 'escalated', 3],
    ['stop', 'loop', 3],
  ] as const)('%s leads to the end %s', async (choice, ending, iteration) => {
    const driven = await drive(() => 'Fixed auth.ts - added null check', {
      choose: async () => choice,
    });
    expect({ ending: driven.ending, iteration: driven.state.iteration }).toEqual({
      ending,
      iteration,
    });
  });

  it('continuing tells the agent what was tried and what to try, and counts again from zero', async () => {
    const { prompts, reports } = await drive(() => 'Fixed auth.ts - added null check', {
      choose: async () => 'continue',
    });
    expect(prompts[2]).not.toContain('repeating yourself');
    expect(prompts[3]).toContain('repeating yourself');
    expect(prompts[3]).toContain('- Iteration 3: Fixed auth.ts - added null check');
    expect(prompts[3]).toContain('Say what the last attempts had in common');
    expect(prompts[4]).not.toContain('repeating yourself');
    expect(reports).toHaveLength(3);
  });
});

describe('what is seen in words that differ', () => {
  it('outputs that are nearly the same are a loop without a common signature', async () => {
    const { ending, report } = await drive(
      (i) =>
        `I looked at the login page again. The form does not submit. I will try another selector: #submit-${'abcdefghij'[i]}`,
    );
    expect(ending).toBe('loop');
    expect(report).toContain('**Pattern**: 3 iterations printed nearly the same');
  });

  it('one that is nine tenths the same as any of the last five is a loop, where one match is asked for', async () => {
    const alike = (i: number) =>
      `I looked at the login page again. The form does not submit. I will try another selector: #submit-${i}`;
    const outputs = [
      alike(1),
      'Read the manual of the form library.',
      'Asked for the logs of the server.',
      alike(4),
    ];
    const guard = { options: { 'similar-output': { matches: 1 } } };
    expect((await drive(inTurn(...outputs))).ending).toBe('done');
    expect((await drive(inTurn(...outputs), { guard })).state.iteration).toBe(4);
  });

  it('empty outputs never loop', async () => {
    expect((await drive(() => '')).reason).toMatch(/^max_iterations: /);
  });
});
