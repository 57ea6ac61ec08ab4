import { situation, testRecovery } from '@unrut/testing';
import { describe, expect, test } from 'vitest';
import { type Plan, recoveries, without } from '../packages/cli/src/index.ts';
import { suggestBackoff } from '../packages/engine/src/recoveries/suggest-backoff/recovery.ts';
import {
  type CallStep,
  type GuardOptions,
  type Item,
  inTurn,
  plansOf,
  play,
  times,
} from './scenarios/scenario.ts';

const unattended = situation({ attended: false });
const late = situation({
  tried: [{ recovery: 'say-what-repeats', rung: 'note', step: 5 }],
  proposed: { key: 'k', label: 'npm test', times: 3 },
});
const bare = situation({ moves: [] });

describe.each(recoveries.map((recovery) => [recovery.name, recovery] as const))(
  '%s',
  (_, recovery) => {
    for (const { name, run } of testRecovery(recovery, [situation(), unattended, late, bare]))
      test(name, run);
  },
);

const lookup: CallStep = {
  tool: 'lookup_order',
  args: { order: 7 },
  result: 'Order 7 was shipped on Monday and is on its way.',
};
const stock: CallStep = {
  tool: 'lookup_stock',
  args: { shelf: 'B4' },
  result: 'Shelf B4 holds three lamps and a globe.',
};
const deploy = (stage: string): CallStep => ({
  tool: 'deploy_site',
  args: { stage },
  error: `Error: no certificate for stage "${stage}"`,
});
const search: CallStep = {
  tool: 'search_web',
  args: { query: 'tides' },
  error: 'HTTP 429: too many requests, slow down',
};
const poll: CallStep = {
  tool: 'get_job',
  args: { id: 'import' },
  result: { id: 'import', state: 'queued', worker: 'none assigned' },
};
const lever = (i: number): CallStep => ({
  tool: 'pull_lever',
  args: { lever: `number ${i}` },
  result:
    'The gate stays shut, the lamp above it stays dark, and behind the wall nothing moves at all.',
});
const patch = (i: number): CallStep => ({
  tool: 'patchWidget',
  args: { spaceId: 'main', widgetId: 'clock', patch: `hands = ${i}` },
  result: 'Widget "clock" patched, rendered ok, loaded to TRANSIENT.',
});
const edit = (i: number): CallStep => ({
  tool: 'Edit',
  args: {
    file_path: 'src/a.ts',
    old_string: `const timeoutSeconds = ${i};`,
    new_string: `const timeoutSeconds = ${i + 1};`,
  },
  result: 'The file src/a.ts has been updated.',
});

async function plans(items: Item[], options: GuardOptions = {}): Promise<Plan[]> {
  return plansOf(await play(items, { ignores: true, options })).map(({ plan }) => plan);
}

/** The plan of a recovery in a run, as its two readers read it. */
async function words(
  recovery: string,
  items: Item[],
  options: GuardOptions = {},
): Promise<{ toModel: string; toHuman: string }> {
  const plan = (await plans(items, options)).find((each) => each.recovery === recovery);
  expect(plan, `expected a plan of ${recovery}`).toBeDefined();
  return { toModel: plan!.toModel, toHuman: plan!.toHuman };
}

describe('along a ladder', () => {
  test('the texts differ from rung to rung, for both readers', async () => {
    const ladder = await plans(inTurn(9, [lookup]));
    expect(ladder.map(({ rung }) => rung)).toEqual([
      'note',
      'hint',
      'block',
      'escalate',
      'block',
      'block',
      'stop',
    ]);
    expect(new Set(ladder.map(({ toModel }) => toModel.replace(/\d+/g, '#'))).size).toBe(6);
    expect(new Set(ladder.map(({ toHuman }) => toHuman.replace(/\d+/g, '#'))).size).toBe(5);
  });

  test('four different texts where nothing can be blocked', async () => {
    const ladder = await plans(inTurn(8, [lookup]), { can: ['note', 'hint', 'escalate', 'stop'] });
    expect(ladder).toHaveLength(4);
    expect(new Set(ladder.map(({ toModel }) => toModel)).size).toBe(4);
  });

  test('no text quotes the arguments or the result', async () => {
    for (const { toModel, toHuman } of await plans(inTurn(7, [lookup]))) {
      expect(toModel + toHuman).not.toContain('shipped on Monday');
      expect(toModel + toHuman).not.toContain('"order"');
    }
  });
});

describe('wording is behaviour', () => {
  test('say-what-repeats, of a repeated call', async () => {
    expect(await words('say-what-repeats', inTurn(3, [lookup]))).toMatchInlineSnapshot(`
      {
        "toHuman": "Unrut told the agent: \`lookup_order\` returned the same result 3 times.",
        "toModel": "Unrut (loop guard): \`lookup_order\` returned the same result 3 times. Try next: 1. Work with the result above: it was the same each time. 2. If it is not what you need, use another tool or other arguments.",
      }
    `);
  });

  test('say-what-repeats, of a repeated error', async () => {
    expect(
      await words('say-what-repeats', ['dev', 'test', 'live'].map(deploy)),
    ).toMatchInlineSnapshot(`
      {
        "toHuman": "Unrut told the agent: \`deploy_site\` failed 3 times in a row in the same way (Error: no certificate for stage "live").",
        "toModel": "Unrut (loop guard): \`deploy_site\` failed 3 times in a row in the same way (Error: no certificate for stage "live"). Try next: 1. Change what the error names before the next try. 2. Reach the goal with another tool or in another way.",
      }
    `);
  });

  test('say-what-repeats, of a cycle', async () => {
    expect(
      await words('say-what-repeats', inTurn(6, [lookup, stock]), {
        options: { 'repeated-call': { threshold: 9 } },
      }),
    ).toMatchInlineSnapshot(`
      {
        "toHuman": "Unrut told the agent: the same 2 steps (\`lookup_order\`, \`lookup_stock\`) were made 3 times in turn, with the same results each time.",
        "toModel": "Unrut (loop guard): the same 2 steps (\`lookup_order\`, \`lookup_stock\`) were made 3 times in turn, with the same results each time. Try next: 1. Decide what these results already tell you, and act on that. 2. Change the one step whose result is wrong instead of repeating all of them.",
      }
    `);
  });

  test('offer-next-moves, after a note', async () => {
    expect(await words('offer-next-moves', inTurn(4, [lookup]))).toMatchInlineSnapshot(`
      {
        "toHuman": "Unrut reminded the agent: \`lookup_order\` returned the same result 4 times.",
        "toModel": "Unrut (loop guard) again: \`lookup_order\` returned the same result 4 times. Try next: 1. Work with the result above: it was the same each time. 2. If it is not what you need, use another tool or other arguments. 3. Report what you know and what is missing.",
      }
    `);
  });

  test('offer-next-moves, when it is the first', async () => {
    expect(
      await words('offer-next-moves', times(6, lever), { preset: without('near-repeat') }),
    ).toMatchInlineSnapshot(`
      {
        "toHuman": "Unrut gave the agent next steps: 5 calls in a row returned nothing new and changed nothing (the last: \`pull_lever\`).",
        "toModel": "Unrut (loop guard): 5 calls in a row returned nothing new and changed nothing (the last: \`pull_lever\`). Try next: 1. Look once at what is there now: the page, the file, the status. 2. Say in two sentences what the goal is, what you know and what is missing. 3. Look with a tool that you have not used yet.",
      }
    `);
  });

  test('refuse-repeat, of a repeated call', async () => {
    expect(await words('refuse-repeat', inTurn(5, [lookup]))).toMatchInlineSnapshot(`
      {
        "toHuman": "Unrut blocked \`lookup_order\`: it returned the same result 4 times.",
        "toModel": "Unrut (loop guard) did not run \`lookup_order\`: it returned the same result 4 times. Its last result stands above. Try next: 1. Work with the result above: it was the same each time. 2. If it is not what you need, use another tool or other arguments. 3. Report what you know and what is missing.",
      }
    `);
  });

  test.each([
    [
      'do not repeat this before a human has answered: go on with other work, or end your turn and say in two sentences what you tried and what you need',
      true,
    ],
    [
      'work on something else, or finish with a report of what you tried, what you know and what is missing',
      false,
    ],
  ])('refuse-repeat, again after somebody was to be asked: %s', async (move, attended) => {
    const [, again] = (await plans(inTurn(9, [lookup]), { attended })).filter(
      ({ recovery }) => recovery === 'refuse-repeat',
    );
    expect(again!.toModel).toBe(
      `Unrut (loop guard) did not run \`lookup_order\` again: it returned the same result 6 times, and nothing that you did since could change that. ${move.charAt(0).toUpperCase()}${move.slice(1)}.`,
    );
  });

  test('refuse-repeat, again where nobody is asked and nothing can be stopped: the best move alone', async () => {
    const all = (await plans(inTurn(9, [lookup]), { can: ['note', 'hint', 'block'] })).filter(
      ({ rung }) => rung === 'block',
    );
    expect(all.length).toBeGreaterThan(2);
    for (const { toModel } of all.slice(1))
      expect(toModel).toMatch(
        /again: it returned .* and nothing that you did since could change that\. Try next: Work with the result above[^.]*\.$/,
      );
  });

  test('a person who is to decide reads the error, where there is one', async () => {
    const failing = {
      tool: 'deploy_site',
      args: { stage: 'live' },
      error: 'Error: no certificate',
    };
    expect((await words('stop-run', inTurn(9, [failing]))).toHuman).toContain(
      'with the same error (Error: no certificate).',
    );
    expect((await words('stop-run', inTurn(9, [lookup]))).toHuman).not.toContain('(');
  });

  test('refuse-repeat, of a cycle', async () => {
    expect(
      await words('refuse-repeat', inTurn(10, [lookup, stock]), {
        options: { 'repeated-call': { threshold: 9 } },
      }),
    ).toMatchInlineSnapshot(`
      {
        "toHuman": "Unrut blocked \`lookup_stock\`: the same 2 steps (\`lookup_stock\`, \`lookup_order\`) were made 4 times in turn, with the same results each time.",
        "toModel": "Unrut (loop guard) did not run \`lookup_stock\`: the same 2 steps (\`lookup_stock\`, \`lookup_order\`) were made 4 times in turn, with the same results each time. Its last result stands above. Try next: 1. Decide what these results already tell you, and act on that. 2. Change the one step whose result is wrong instead of repeating all of them. 3. Report what you know and what is missing.",
      }
    `);
  });

  test('ask-human, where somebody is', async () => {
    expect(await words('ask-human', inTurn(6, [lookup]))).toMatchInlineSnapshot(`
      {
        "toHuman": "Unrut: \`lookup_order\` returned the same result 6 times, and advice did not help. Please tell the agent how to go on.",
        "toModel": "Unrut (loop guard) asks a human to look at this: \`lookup_order\` returned the same result 6 times. Do not repeat this before a human has answered: go on with other work, or end your turn and say in two sentences what you tried and what you need.",
      }
    `);
  });

  test('ask-human, where nobody is', async () => {
    expect(
      await words('ask-human', inTurn(6, [lookup]), { attended: false }),
    ).toMatchInlineSnapshot(`
      {
        "toHuman": "Unrut: \`lookup_order\` returned the same result 6 times, and advice did not help. No human was asked.",
        "toModel": "Unrut (loop guard) has recorded this: \`lookup_order\` returned the same result 6 times. No human was asked, so leave it: work on something else, or finish with a report of what you tried, what you know and what is missing.",
      }
    `);
  });

  test('ask-human, the report', async () => {
    const plan = (await plans(inTurn(6, [lookup]))).find(
      ({ recovery }) => recovery === 'ask-human',
    );
    expect(plan?.action?.ask).toBe(true);
    expect(plan?.action?.report).toMatchInlineSnapshot(`
      "## Loop Detected

      **Pattern**: \`lookup_order\` returned the same result 6 times.
      **Seen by**: \`repeated-call\` (consecutive), steps 0 to 5
      **Tried**: say-what-repeats at step 2, offer-next-moves at step 3, refuse-repeat at step 4

      **Options**:

      1. **Continue with a different approach**: work with the result above: it was the same each time; if it is not what you need, use another tool or other arguments; report what you know and what is missing.
      2. **Review and debug**: look at the steps above.
      3. **Cancel**: stop the run; it can be resumed."
    `);
  });

  test('stop-run', async () => {
    expect(await words('stop-run', inTurn(9, [lookup]))).toMatchInlineSnapshot(`
      {
        "toHuman": "Unrut stopped the run: \`lookup_order\` returned the same result 9 times. To resume it, tell the agent to go on.",
        "toModel": "Unrut (loop guard) stopped the run: \`lookup_order\` returned the same result 9 times, and no advice has changed that. If the user resumes it, begin with something else.",
      }
    `);
  });

  test('stop-run, the reason as data', async () => {
    const plan = (await plans(inTurn(9, [lookup]))).find(({ recovery }) => recovery === 'stop-run');
    expect(plan?.action).toMatchInlineSnapshot(`
      {
        "resumable": true,
        "stop": {
          "code": "loop",
          "count": 9,
          "detector": "repeated-call",
          "since": 0,
          "tried": [
            "say-what-repeats",
            "offer-next-moves",
            "refuse-repeat",
            "ask-human",
          ],
          "variant": "consecutive",
        },
      }
    `);
  });

  test('count-edits, of a widget', async () => {
    expect(await words('count-edits', times(3, patch))).toMatchInlineSnapshot(`
      {
        "toHuman": "Unrut told the agent: 3rd consecutive patch on this widget without a fresh readWidget.",
        "toModel": "Note: 3rd consecutive patch on this widget without a fresh readWidget — verify visually or report current state instead of patching again.",
      }
    `);
  });

  test('count-edits, of a file', async () => {
    expect(await words('count-edits', times(3, edit))).toMatchInlineSnapshot(`
      {
        "toHuman": "Unrut told the agent: 3rd consecutive edit of src/a.ts without reading it.",
        "toModel": "Unrut (loop guard): 3rd consecutive edit of src/a.ts without reading it — read it or run a check before editing it again.",
      }
    `);
  });

  test('suggest-backoff, of a passing error', async () => {
    expect(await words('suggest-backoff', inTurn(3, [search]))).toMatchInlineSnapshot(`
      {
        "toHuman": "Unrut told the agent: \`search_web\` was turned away 3 times by a temporary error (HTTP 429: too many requests, slow down).",
        "toModel": "Unrut (loop guard): \`search_web\` was turned away 3 times by a temporary error (HTTP 429: too many requests, slow down). Try next: 1. Wait before trying again, twice as long each time, and do something else meanwhile. 2. If it keeps failing, report it.",
      }
    `);
  });

  test('suggest-backoff, of a poll', async () => {
    const slowly = inTurn(10, [{ ...poll, wait: 20 }]);
    expect(await words('suggest-backoff', slowly)).toMatchInlineSnapshot(`
      {
        "toHuman": "Unrut told the agent: \`get_job import\` was called 10 times in 3 minutes, and its state has not changed.",
        "toModel": "Unrut (loop guard): \`get_job import\` was called 10 times in 3 minutes, and its state has not changed. Try next: 1. Wait longer before asking again, twice as long each time. 2. Check another way whether it is alive: its logs, its events, what it waits for.",
      }
    `);
  });
});

describe('suggest-backoff', () => {
  test.each([
    [3, 15],
    [4, 30],
    [5, 60],
    [8, 300],
    [500, 300],
  ])('after %d times advises %d seconds', (count, seconds) => {
    const recovery = suggestBackoff;
    const { signal } = situation();
    expect(recovery.plan(situation({ signal: { ...signal, count } }), recovery.options)).toEqual({
      waitSeconds: seconds,
    });
  });
});
