import { describe, expect, test } from 'vitest';
import { type Plan, recoveries, without } from '../src/index.ts';
import { suggestBackoff } from '../src/recoveries/suggest-backoff/recovery.ts';
import { situation, testRecovery } from '../src/testing/index.ts';
import { type CallStep, type GuardOptions, type Item, inTurn, plansOf, play, times } from './scenarios/scenario.ts';

const unattended = situation({ attended: false });
const late = situation({
  tried: [{ recovery: 'say-what-repeats', rung: 'note', step: 5 }],
  proposed: { key: 'k', label: 'npm test', times: 3 },
});
const bare = situation({ moves: [] });

describe.each(recoveries.map((recovery) => [recovery.name, recovery] as const))('%s', (_, recovery) => {
  for (const { name, run } of testRecovery(recovery, [situation(), unattended, late, bare])) test(name, run);
});

const lookup: CallStep = { tool: 'lookup_order', args: { order: 7 }, result: 'Order 7 was shipped on Monday and is on its way.' };
const stock: CallStep = { tool: 'lookup_stock', args: { shelf: 'B4' }, result: 'Shelf B4 holds three lamps and a globe.' };
const deploy = (stage: string): CallStep => ({ tool: 'deploy_site', args: { stage }, error: `Error: no certificate for stage "${stage}"` });
const search: CallStep = { tool: 'search_web', args: { query: 'tides' }, error: 'HTTP 429: too many requests, slow down' };
const poll: CallStep = { tool: 'get_job', args: { id: 'import' }, result: { id: 'import', state: 'queued', worker: 'none assigned' } };
const lever = (i: number): CallStep => ({
  tool: 'pull_lever',
  args: { lever: `number ${i}` },
  result: 'The gate stays shut, the lamp above it stays dark, and behind the wall nothing moves at all.',
});
const patch = (i: number): CallStep => ({
  tool: 'patchWidget',
  args: { spaceId: 'main', widgetId: 'clock', patch: `hands = ${i}` },
  result: 'Widget "clock" patched, rendered ok, loaded to TRANSIENT.',
});
const edit = (i: number): CallStep => ({
  tool: 'Edit',
  args: { file_path: 'src/a.ts', old_string: `const timeoutSeconds = ${i};`, new_string: `const timeoutSeconds = ${i + 1};` },
  result: 'The file src/a.ts has been updated.',
});

async function plans(items: Item[], options: GuardOptions = {}): Promise<Plan[]> {
  return plansOf(await play(items, { ignores: true, options })).map(({ plan }) => plan);
}

/** The plan of a recovery in a run, as its two readers read it. */
async function words(recovery: string, items: Item[], options: GuardOptions = {}): Promise<{ toModel: string; toHuman: string }> {
  const plan = (await plans(items, options)).find((each) => each.recovery === recovery);
  expect(plan, `expected a plan of ${recovery}`).toBeDefined();
  return { toModel: plan!.toModel, toHuman: plan!.toHuman };
}

describe('along a ladder', () => {
  test('the texts differ from rung to rung, for both readers', async () => {
    const ladder = await plans(inTurn(9, [lookup]));
    expect(ladder.map(({ rung }) => rung)).toEqual(['note', 'hint', 'block', 'escalate', 'block', 'block', 'stop']);
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
        "toHuman": "\`lookup_order\` brought the same result 3 times. The agent was told.",
        "toModel": "Note: \`lookup_order\` brought the same result 3 times. Doing it once more is unlikely to tell you anything else. Instead: use the result you already have; change something the call depends on before making it again; or look at a different part of the problem, or say what is known and what is missing.",
      }
    `);
  });

  test('say-what-repeats, of a repeated error', async () => {
    expect(await words('say-what-repeats', ['dev', 'test', 'live'].map(deploy))).toMatchInlineSnapshot(`
      {
        "toHuman": "\`deploy_site\` failed 3 times in a row in the same way (Error: no certificate for stage "live"). The agent was told.",
        "toModel": "Note: \`deploy_site\` failed 3 times in a row in the same way (Error: no certificate for stage "live"). Doing it once more is unlikely to tell you anything else. Instead: read the error as a fact about the environment and find out what it depends on; try a different tool or route to the same goal; or if something is missing that you cannot provide, say so.",
      }
    `);
  });

  test('say-what-repeats, of a cycle', async () => {
    expect(
      await words('say-what-repeats', inTurn(6, [lookup, stock]), { options: { 'repeated-call': { threshold: 9 } } }),
    ).toMatchInlineSnapshot(`
      {
        "toHuman": "The same 2 steps (\`lookup_order\`, \`lookup_stock\`) were made 3 times over, with the same results each time. The agent was told.",
        "toModel": "Note: the same 2 steps (\`lookup_order\`, \`lookup_stock\`) were made 3 times over, with the same results each time. Doing it once more is unlikely to tell you anything else. Instead: leave the round: decide what its results already tell you, and act on that; change the one step whose result you do not like, instead of repeating all of them; or say what is known and what is missing.",
      }
    `);
  });

  test('offer-next-moves, after a note', async () => {
    expect(await words('offer-next-moves', inTurn(4, [lookup]))).toMatchInlineSnapshot(`
      {
        "toHuman": "\`lookup_order\` brought the same result 4 times. The agent was given next moves.",
        "toModel": "This is still going on: \`lookup_order\` brought the same result 4 times. What would a different result look like, and which step could bring it? 1. Use the result you already have. 2. Change something the call depends on before making it again. 3. Look at a different part of the problem, or say what is known and what is missing.",
      }
    `);
  });

  test('offer-next-moves, when it is the first', async () => {
    expect(await words('offer-next-moves', times(6, lever), { preset: without('near-repeat') })).toMatchInlineSnapshot(`
      {
        "toHuman": "5 calls in a row brought nothing new and changed nothing (the last: \`pull_lever\`). The agent was given next moves.",
        "toModel": "This is not getting anywhere: 5 calls in a row brought nothing new and changed nothing (the last: \`pull_lever\`). What would a different result look like, and which step could bring it? 1. Read the present state once, then say in one sentence what is known and what is missing. 2. Try a tool or a route that has not been used yet. 3. Take a smaller step whose result can be checked. Ranked recovery candidates: 1. read the present state once (read_only, score=0.9): what is known of it may be out of date | 2. say in two sentences what the goal is, what is known and what is missing (read_only, score=0.8): it shows which step would bring something | 3. look with a tool that has not been used yet (read_only, score=0.7): another view can show what this one hides.",
      }
    `);
  });

  test('refuse-repeat, of a repeated call', async () => {
    expect(await words('refuse-repeat', inTurn(5, [lookup]))).toMatchInlineSnapshot(`
      {
        "toHuman": "\`lookup_order\` brought the same result 4 times. \`lookup_order\` was refused.",
        "toModel": "This call was not run: its answer is already known. It has been the same 4 times: see what \`lookup_order\` brought earlier in this conversation. To get on: use the result you already have; change something the call depends on before making it again; or look at a different part of the problem, or say what is known and what is missing.",
      }
    `);
  });

  test('refuse-repeat, of a cycle', async () => {
    expect(
      await words('refuse-repeat', inTurn(10, [lookup, stock]), { options: { 'repeated-call': { threshold: 9 } } }),
    ).toMatchInlineSnapshot(`
      {
        "toHuman": "The same 2 steps (\`lookup_stock\`, \`lookup_order\`) were made 4 times over, with the same results each time. \`lookup_stock\` was refused.",
        "toModel": "This call was not run: its answer is already known. It has been the same 4 times: see what \`lookup_stock\` brought earlier in this conversation. To get on: leave the round: decide what its results already tell you, and act on that; change the one step whose result you do not like, instead of repeating all of them; or say what is known and what is missing.",
      }
    `);
  });

  test('ask-human, where somebody is', async () => {
    expect(await words('ask-human', inTurn(6, [lookup]))).toMatchInlineSnapshot(`
      {
        "toHuman": "\`lookup_order\` brought the same result 6 times, in spite of what was tried. Please have a look.",
        "toModel": "A person is being asked to look at this: \`lookup_order\` brought the same result 6 times. Until there is an answer, leave it, and say in two sentences what you need and what you would try next.",
      }
    `);
  });

  test('ask-human, where nobody is', async () => {
    expect(await words('ask-human', inTurn(6, [lookup]), { attended: false })).toMatchInlineSnapshot(`
      {
        "toHuman": "\`lookup_order\` brought the same result 6 times, in spite of what was tried. Please have a look.",
        "toModel": "This was reported: \`lookup_order\` brought the same result 6 times. Nobody is there to answer. Leave it, write down what you know and what is missing, and go on with something else or finish.",
      }
    `);
  });

  test('ask-human, the report', async () => {
    const plan = (await plans(inTurn(6, [lookup]))).find(({ recovery }) => recovery === 'ask-human');
    expect(plan?.action?.ask).toBe(true);
    expect(plan?.action?.report).toMatchInlineSnapshot(`
      "## Loop Detected

      **Pattern**: \`lookup_order\` brought the same result 6 times.
      **Seen by**: \`repeated-call\` (consecutive), steps 0 to 5
      **Tried**: say-what-repeats at step 2, offer-next-moves at step 3, refuse-repeat at step 4

      **Options**:

      1. **Continue with a different approach**: use the result you already have; change something the call depends on before making it again; or look at a different part of the problem, or say what is known and what is missing.
      2. **Review and debug**: look at the steps above.
      3. **Cancel**: stop the run; it can be resumed."
    `);
  });

  test('stop-run', async () => {
    expect(await words('stop-run', inTurn(9, [lookup]))).toMatchInlineSnapshot(`
      {
        "toHuman": "Stopped: \`lookup_order\` brought the same result 9 times. The run can be resumed.",
        "toModel": "The run is stopped here: \`lookup_order\` brought the same result 9 times, and nothing that was tried has changed it. It can be resumed.",
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
        "toHuman": "3rd consecutive patch on this widget without a fresh readWidget. The agent was told.",
        "toModel": "Note: 3rd consecutive patch on this widget without a fresh readWidget — verify visually or report current state instead of patching again.",
      }
    `);
  });

  test('count-edits, of a file', async () => {
    expect(await words('count-edits', times(3, edit))).toMatchInlineSnapshot(`
      {
        "toHuman": "3rd consecutive edit of src/a.ts without reading it. The agent was told.",
        "toModel": "Note: 3rd consecutive edit of src/a.ts without reading it — read it or run a check before editing it again.",
      }
    `);
  });

  test('suggest-backoff, of a passing error', async () => {
    expect(await words('suggest-backoff', inTurn(3, [search]))).toMatchInlineSnapshot(`
      {
        "toHuman": "\`search_web\` was turned away 3 times by a passing condition (HTTP 429: too many requests, slow down). The agent was advised to wait longer.",
        "toModel": "Note: \`search_web\` was turned away 3 times by a passing condition (HTTP 429: too many requests, slow down). Wait before asking again, twice as long each time, and do something else meanwhile; if it still does not move, check in another way what it is waiting for.",
      }
    `);
  });

  test('suggest-backoff, of a poll', async () => {
    const slowly = inTurn(10, [{ ...poll, wait: 20 }]);
    expect(await words('suggest-backoff', slowly)).toMatchInlineSnapshot(`
      {
        "toHuman": "\`get_job import\` was asked 10 times in 3 minutes and the state has not changed. The agent was advised to wait longer.",
        "toModel": "Note: \`get_job import\` was asked 10 times in 3 minutes and the state has not changed. Wait before asking again, twice as long each time, and do something else meanwhile; if it still does not move, check in another way what it is waiting for.",
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
    expect(recovery.plan(situation({ signal: { ...signal, count } }), recovery.options)).toEqual({ waitSeconds: seconds });
  });
});
