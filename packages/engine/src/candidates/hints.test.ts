import { playTrace, withTools } from '@unrut/test/candidates/run-cases';
import { momentsOf } from '@unrut/testing/trace';
import { describe, expect, test } from 'vitest';
import { stalling } from '../detectors/stalling/detector.ts';
import type { AgentEvent } from '../event.ts';
import { createGuard } from '../guard.ts';
import type { Plan } from '../policy/plan.ts';
import { recommended } from '../presets.ts';

const SNAPSHOT =
  'browser_snapshot {} -> "### Page\\n- Page URL: http://127.0.0.1/shop\\n- Page Title: Shop\\n- button \\"Save\\" [ref=e12]"';
const STALE =
  'browser_click {"element":"Save","ref":"e12"} -> error "Error: Ref e12 not found in the current page snapshot. Try capturing new snapshot."';
const WALL =
  'browser_navigate {"url":"http://127.0.0.1/cart"} -> "### Page\\n- Page URL: http://127.0.0.1/cart\\n- Page Title: Just a moment...\\n- checkbox \\"Verify you are human\\" [ref=e4]"';
const ARTICLE =
  'browser_navigate {"url":"http://127.0.0.1/article"} -> "### Page\\n- Page URL: http://127.0.0.1/article\\n- Page Title: How CAPTCHAs came to be\\n- text: A captcha asks a visitor to prove to be human.\\n- button \\"More\\" [ref=e4]"';
const BLIND =
  'browser_click {"ref":"e4"} -> error "TimeoutError: locator.click: Timeout 5000ms exceeded."';
const missing = (name: string): string =>
  `Read {"file_path":"/home/dev/project/src/${name}.ts"} -> error "File does not exist."`;
const LEVER =
  'pull_lever {"lever":"$i"} -> "The gate stays shut, the lamp above it stays dark, and behind the wall nothing moves at all."';

const TEXT = / Try next: 1\. `browser_snapshot`: /;
const hintIn = (plans: Plan[]): Plan => plans.find(({ rung }) => rung === 'hint')!;
const toolsOf = ({ candidates = [] }: Plan): (string | undefined)[] =>
  candidates.map(({ tool }) => tool);

describe('a hint', () => {
  test('of an agent that gets nowhere carries ranked candidates, in its text and in a field', () => {
    const { plans } = playTrace([`${LEVER} x9`], {
      preset: { ...recommended, detectors: [stalling] },
    });
    const hint = hintIn(plans);
    expect(hint.reason).toBe('stalling/no-progress');
    expect(hint.toModel).toMatch(
      / Try next: 1\. Look once at what is there now: the page, the file, the status\. 2\. /,
    );
    expect(hint.candidates!.map(({ name }) => name)).toEqual([
      'reread-state',
      'restate-goal',
      'try-unused-tool',
    ]);
  });

  test('of a repeated failure leads with a fresh snapshot', () => {
    const hint = hintIn(playTrace([SNAPSHOT, `${STALE} x4`]).plans);
    expect(hint.toModel).toMatch(
      /^Unrut \(loop guard\) again: `browser_click e12` failed 4 times with the same error\. Try next: 1\. `browser_snapshot`: /,
    );
    expect(hint.candidates![0]).toMatchObject({
      tool: 'browser_snapshot',
      risk: 'read_only',
      score: 0.95,
    });
  });

  test('a tool that the error itself names comes first', () => {
    const { plans } = playTrace([
      'Grep {"pattern":"tax"} -> refused unknown-tool "Error: No such tool available: Grep. Grep is not available in this session — search file contents with `grep` via the Bash tool instead." x3',
    ]);
    expect(plans[0]!.toModel).toMatch(/ Try next: 1\. Use what the error offers: `Bash`\. /);
  });

  test('of something that did not fail has only what suits its pattern', () => {
    const { plans } = playTrace([
      missing('a'),
      'lookup_order {"order":7} -> "Order 7 was shipped on Monday." x4',
    ]);
    expect(hintIn(plans)).not.toHaveProperty('candidates');
    expect(hintIn(plans).toModel).toMatch(
      / Try next: 1\. Work with the result above: it was the same each time\. /,
    );
  });

  test('is not the first to have candidates: the note has them already, and the refusal still', () => {
    const { plans } = playTrace([SNAPSHOT, `${STALE} x8`]);
    const ranked = plans.filter(({ candidates }) => candidates).map(({ rung }) => rung);
    expect(ranked.slice(0, 3)).toEqual(['note', 'hint', 'block']);
    for (const plan of plans.slice(0, 3)) expect(plan.toModel).toMatch(TEXT);
  });

  test('says no more than a model reads: 400 characters for a note, 700 for a hint', () => {
    const long = `${'a'.repeat(60)}.ts`;
    const { plans } = playTrace([
      `Bash {"command":"cat src/${long}"} -> exit 1 "cat: src/${long}: No such file or directory" x8`,
    ]);
    expect(plans.find(({ rung }) => rung === 'note')!.toModel.length).toBeLessThan(400);
    expect(hintIn(plans).toModel.length).toBeLessThan(700);
  });

  test('in shadow mode is only recorded', () => {
    const { verdicts } = playTrace([SNAPSHOT, `${STALE} x4`], { shadow: true });
    expect(verdicts.every(({ plan }) => plan === null)).toBe(true);
    expect(verdicts.some(({ shadow }) => shadow?.candidates)).toBe(true);
  });
});

describe('tools are named as the host has them', () => {
  const reads = ['a', 'b', 'c', 'd'].map(missing);
  const firstOf = (plans: Plan[]): Plan => plans.find(({ candidates }) => candidates)!;

  test.each([
    ['nothing is known of', [] as string[], undefined],
    ['Claude Code has', ['Bash'], 'Bash'],
    ['the file server of MCP has', ['list_directory', 'search_files'], 'list_directory'],
    ['a server behind a prefix has', ['mcp__files__list_directory'], 'mcp__files__list_directory'],
  ])('what %s', (_, tools, expected) => {
    const note = firstOf(withTools(tools, reads));
    expect(note.candidates![0]).toMatchObject({
      name: 'list-folder',
      ...(expected ? { tool: expected } : {}),
    });
    expect(toolsOf(note).every((tool) => tool === undefined || tools.includes(tool))).toBe(true);
  });

  test('what was seen in the session is known too', () => {
    const note = firstOf(
      playTrace(['list_directory {"path":"/home/dev/project"} -> "src"', ...reads]).plans,
    );
    expect(note.candidates![0]).toMatchObject({
      tool: 'list_directory',
      args: { path: '/home/dev/project/src' },
    });
  });

  test('of two servers the one that failed is the one to ask', () => {
    const stale = STALE.replace('browser_click', 'mcp__b__browser_click');
    const plans = withTools(
      ['mcp__a__browser_snapshot', 'mcp__b__browser_snapshot', 'mcp__c__take_snapshot'],
      [`${stale} x4`],
    );
    expect(toolsOf(firstOf(plans))[0]).toBe('mcp__b__browser_snapshot');
  });

  test('a shell does what no tool of its own does', () => {
    const note = firstOf(withTools(['Bash'], reads));
    expect(note.candidates!.map(({ args }) => args)).toEqual([
      { command: "ls -la '/home/dev/project/src'" },
      { command: "find . -name 'c.ts' -not -path '*/node_modules/*'" },
    ]);
  });

  test('a tool that is not for this work is not named', () => {
    const note = firstOf(
      withTools(['browser_snapshot', 'delete_directory', 'list_and_purge_files'], reads),
    );
    expect(toolsOf(note)).toEqual([undefined, undefined]);
  });
});

describe('hintFailures', () => {
  const options = { hintFailures: true };

  test('hints at the first failure of a known kind; without it nothing is said before anything repeats', () => {
    expect(playTrace([SNAPSHOT, STALE]).plans).toEqual([]);
    const { plans } = playTrace([SNAPSHOT, STALE], options);
    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatchObject({ rung: 'hint', reason: 'failure/stale-reference' });
    expect(plans[0]!.toModel).toMatchInlineSnapshot(
      `"Unrut (loop guard): \`browser_click e12\` failed: the page has changed, and the reference belongs to an earlier state of it. Try next: 1. \`browser_snapshot\`: take a fresh snapshot; references expire when the page changes. 2. Find the same element in it by role and name, and use its new reference. 3. \`browser_click\`: repeat the action with the new reference, never with the old one."`,
    );
  });

  test('a second blind click is ranked down', () => {
    const { plans } = playTrace([SNAPSHOT, STALE, STALE], options);
    const scores = plans.map(
      ({ candidates }) => candidates!.find(({ tool }) => tool === 'browser_click')!.score,
    );
    expect(scores).toEqual([0.25, 0]);
  });

  test('before a wall no blind click, typing or retry is offered; handing over is', () => {
    const hint = hintIn(playTrace([WALL, BLIND], options).plans);
    expect(hint.reason).toBe('failure/blocked-page');
    expect(hint.toModel).toMatch(/Try next: 1\. Ask the user to get past this page \(a CAPTCHA\)/);
    expect(hint.toModel.slice(hint.toModel.indexOf('Try next'))).not.toMatch(
      /browser_click|browser_type/,
    );
  });

  const atWall = (name: string, takes: Record<string, boolean>) => {
    const guard = createGuard(options);
    const listed = [
      { type: 'tools-listed' as const, at: 0, tools: [{ name, takes }] },
      ...momentsOf([WALL, BLIND]).flatMap(({ events }) => events),
    ];
    const plans = listed.flatMap(
      (event) => guard.observe({ ...event, session: 's' } as AgentEvent).plan ?? [],
    );
    return plans.flatMap((plan) => plan.candidates ?? []);
  };

  test.each([
    'open_headed_browser',
    'relaunchHeaded',
    'use_browser_profile',
    'chrome-profile-switch',
  ])('before a wall %s is offered by its name', (name) => {
    expect(atWall(name, { url: true })).toContainEqual(
      expect.objectContaining({ name: 'open-headed', tool: name }),
    );
  });

  test.each([
    ['update_profile', { bio: true }],
    ['get_browser_profile', {}],
    ['delete_browser_profile', { id: true }],
    ['mcp__aws__call_aws', { command: true, profile: false }],
  ])('before a wall %s is no way to a visible browser', (name, takes) => {
    expect(atWall(name, takes as Record<string, boolean>).map((each) => each.name)).not.toContain(
      'open-headed',
    );
  });

  test('before a wall a visible browser or a profile is offered if a tool takes one', () => {
    const candidates = (takes: Record<string, boolean>) => atWall('browser_open', takes);
    expect(candidates({ url: true, headed: false })).toContainEqual(
      expect.objectContaining({ name: 'open-headed', tool: 'browser_open' }),
    );
    expect(candidates({ url: true, userDataDir: false }).map(({ name }) => name)).toContain(
      'open-headed',
    );
    const without = candidates({ url: true });
    expect(without.map(({ name }) => name)).not.toContain('open-headed');
    expect(without.every(({ reason }) => reason !== '')).toBe(true);
  });

  test('an article that speaks of captchas is no wall', () => {
    expect(hintIn(playTrace([ARTICLE, BLIND], options).plans).reason).toBe('failure/not-ready');
  });

  test('an error of no known kind, and a success, say nothing', () => {
    const lines = ['deploy_site {"stage":"live"} -> error "Error: no certificate"', SNAPSHOT, WALL];
    expect(playTrace(lines, options).plans).toEqual([]);
  });

  test('a host that cannot hint is left alone', () => {
    expect(playTrace([SNAPSHOT, STALE], { ...options, can: ['note'] }).plans).toEqual([]);
  });
});

describe('advice after a failing check', () => {
  const failing = (output: string): string =>
    `Bash {"command":"npm test"} -> exit 1 ${JSON.stringify(output)}`;
  const saidAbout = (output: string): string =>
    playTrace([`${failing(output)} x3`]).plans[0]!.toModel;

  test.each([
    [
      'a stack of Node',
      'not ok 1 - sums\n  at TestContext.<anonymous> (file:///p/test/sum.test.js:4:10)\n# tests 3\n# fail 1',
      '`/p/test/sum.test.js:4`',
    ],
    [
      'pytest',
      'tests/test_sum.py:12: AssertionError\nFAILED tests/test_sum.py::test_sum\n1 failed, 3 passed in 0.12s',
      '`tests/test_sum.py:12`',
    ],
    [
      'a stack that begins in a library',
      'FAIL\n at expect (/p/node_modules/vitest/index.js:90:1)\n at src/sum.test.ts:7:3\n1 failed, 2 passed',
      '`src/sum.test.ts:7`',
    ],
  ])('names the file and line that the error names: %s', (_name, output, place) => {
    expect(saidAbout(output)).toContain(
      `read the lines that the failure names, and the check itself (${place})`,
    );
  });

  test('names no place if the error names none', () => {
    const said = saidAbout('expected 2, got 3\n1 failed, 2 passed');
    expect(said).toContain('read the lines that the failure names, and the check itself;');
  });
});
