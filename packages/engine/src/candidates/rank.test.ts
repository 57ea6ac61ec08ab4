import { describe, expect, test } from 'vitest';
import { defineFailure, type Failure, type Move, type Risk } from '../failures/failure.ts';
import { failureNamed, failures } from '../failures/index.ts';
import { type Candidate, movesOf } from './candidate.ts';
import type { CandidateMemory, RecentCall } from './memory.ts';
import { type Ranking, rank } from './rank.ts';

const click: RecentCall = {
  tool: 'browser_click',
  key: 'k1',
  world: 'page',
  target: 'element:e12',
  failure: 'stale-reference',
};
const PAGE_TOOLS = [
  'browser_click',
  'browser_snapshot',
  'browser_press_key',
  'browser_wait_for',
  'find',
];

const memoryOf = (
  calls: RecentCall[],
  tools: string[] = PAGE_TOOLS,
  destructive: string[] = [],
): CandidateMemory => ({
  tools: tools.map((tool) => [tool, { destructive: destructive.includes(tool) }]),
  calls,
  walled: null,
});

function ranked(name: string, changes: Partial<Ranking> = {}): Candidate[] {
  const failed = changes.failed ?? { ...click, failure: name };
  return rank({
    failure: failureNamed(name),
    failed,
    memory: memoryOf([failed]),
    trails: [],
    learned: {},
    allow: new Set(),
    ...changes,
  });
}

const offered = (candidates: Candidate[]): Candidate[] =>
  candidates.filter(({ blockedReason }) => blockedReason === undefined);
const scoreOf = (candidates: Candidate[], name: string): number =>
  candidates.find((each) => each.name === name)!.score;

/** A failure made of moves that differ only in what is said here. */
const failureOf = (...moves: [name: string, base: number, risk: Risk][]): Failure =>
  defineFailure({
    name: 'made-up',
    means: 'it is made up',
    recognises: () => false,
    moves: moves.map(
      ([name, base, risk]): Move => ({ name, base, risk, does: `do ${name}`, reason: 'why not' }),
    ),
  });
const orderOf = (...moves: [string, number, Risk][]): string[] =>
  ranked('other', { failure: failureOf(...moves) }).map(({ name }) => name);

describe('ranking', () => {
  test('a candidate never has the arguments of the call that failed', () => {
    const covered: RecentCall = { ...click, failure: 'covered-element', given: { ref: 'e12' } };
    const memory = memoryOf([covered]);
    for (const [tool, note] of memory.tools)
      if (tool === 'browser_click') Object.assign(note, { needs: ['ref'] });
    const candidates = ranked('covered-element', { failed: covered, memory });
    const close = candidates.find(({ name }) => name === 'close-cover')!;
    expect(close).toMatchObject({ tool: 'browser_click' });
    expect(close.args).toBeUndefined();
    // The twin: other arguments are kept.
    expect(candidates.find(({ name }) => name === 'escape-cover')!.args).toEqual({ key: 'Escape' });
  });

  test('a stale reference: a fresh look is first', () => {
    const [first, second] = ranked('stale-reference');
    expect(first).toMatchObject({
      name: 'look-afresh',
      tool: 'browser_snapshot',
      risk: 'read_only',
      score: 0.95,
    });
    expect(second!.name).toBe('resolve-by-name');
  });

  test('the same failed tool on the same target is ranked down by each failed use', () => {
    const scores = [1, 2, 3].map((uses) =>
      scoreOf(
        ranked('stale-reference', { memory: memoryOf(Array.from({ length: uses }, () => click)) }),
        'act-on-new-reference',
      ),
    );
    expect(scores).toEqual([0.25, 0, -0.25]);
  });

  test('a look that keeps failing ranks below untried moves', () => {
    const look: RecentCall = {
      tool: 'browser_snapshot',
      key: 'k2',
      world: 'page',
      target: null,
      failure: 'not-ready',
    };
    const [first] = ranked('stale-reference', { memory: memoryOf([look, click]) });
    expect(first!.name).not.toBe('look-afresh');
  });

  test('earlier successes, other tools and other targets are no reason to rank down', () => {
    const { failure: _, ...went } = click;
    const elsewhere = { ...click, target: 'element:e40' };
    const hover = { ...click, tool: 'browser_hover' };
    expect(
      ranked('stale-reference', { memory: memoryOf([went, elsewhere, hover, click]) }),
    ).toEqual(ranked('stale-reference'));
  });

  test('an auth wall or CAPTCHA: no click, typing or retry is offered, handing over is', () => {
    const candidates = ranked('blocked-page');
    expect(offered(candidates).map(({ name, risk }) => [name, risk])).toEqual([
      ['hand-over', 'read_only'],
      ['stop-retrying', 'read_only'],
    ]);
    expect(movesOf(candidates, [], false).join()).not.toMatch(/browser_click|browser_press_key/);
    expect(candidates.filter(({ blockedReason }) => blockedReason).map(({ tool }) => tool)).toEqual(
      ['browser_click', 'browser_click'],
    );
  });

  test('rights are never taken: the candidate is listed as blocked, and not shown', () => {
    const failed: RecentCall = {
      tool: 'Bash',
      key: 'k',
      world: 'file',
      target: 'file:x',
      path: '/etc/hosts',
      failure: 'permission-denied',
    };
    const candidates = ranked('permission-denied', {
      failed,
      memory: memoryOf([failed], ['Bash']),
    });
    expect(candidates.at(-1)).toMatchObject({
      name: 'take-rights',
      blockedReason: expect.stringContaining('never'),
    });
    expect(JSON.stringify(offered(candidates))).not.toMatch(/sudo|chmod/);
  });
});

describe('the order', () => {
  test('what may have effects comes after what does not, whatever its score', () => {
    expect(
      orderOf(
        ['acts', 1, 'side_effect_possible'],
        ['undoes', 0.5, 'reversible'],
        ['reads', 0.2, 'read_only'],
      ),
    ).toEqual(['undoes', 'reads', 'acts']);
  });

  test.each([
    ['within 0.05 reading wins', 0.9, 0.9, ['reads', 'undoes']],
    ['at exactly 0.05 too', 0.95, 0.85, ['reads', 'undoes']],
    ['beyond it the score decides', 0.97, 0.85, ['undoes', 'reads']],
  ])('between reading and what can be undone, %s', (_, reversible, readOnly, expected) => {
    expect(orderOf(['undoes', reversible, 'reversible'], ['reads', readOnly, 'read_only'])).toEqual(
      expected,
    );
  });

  test('ties go by the name', () => {
    expect(
      orderOf(['b', 0.5, 'read_only'], ['c', 0.5, 'read_only'], ['a', 0.5, 'read_only']),
    ).toEqual(['a', 'b', 'c']);
  });

  test('the same question gives the same answer, in whatever order the tools came', () => {
    for (const { name } of failures) {
      const failed = { ...click, failure: name };
      const one = ranked(name, { failed, memory: memoryOf([failed], PAGE_TOOLS) });
      expect(
        ranked(name, { failed, memory: memoryOf([failed], [...PAGE_TOOLS].reverse()) }),
      ).toEqual(one);
    }
  });

  test('scores are between -1 and 1 and have three decimals', () => {
    const many = memoryOf(Array.from({ length: 8 }, () => click));
    for (const { name } of failures) {
      const scores = ranked(name, {
        memory: many,
        learned: { [`${name}/page/look-afresh`]: 1 / 3 },
      }).map(({ score }) => score);
      // Without a name that is near, there is nothing to offer.
      if (name !== 'no-such-tool') expect(scores, name).not.toEqual([]);
      expect(
        scores.filter((score) => Math.abs(score) > 1 || Math.round(score * 1000) / 1000 !== score),
      ).toEqual([]);
    }
  });
});

describe('evidence', () => {
  const trail = (followed: string, reward: number, target = click.target) => ({
    failure: 'stale-reference',
    target,
    followed,
    reward,
  });

  test('what worked before on this target counts for it, what did not counts against it', () => {
    const plain = scoreOf(ranked('stale-reference'), 'look-afresh');
    expect(
      scoreOf(ranked('stale-reference', { trails: [trail('look-afresh', 1)] }), 'look-afresh'),
    ).toBe(1);
    expect(
      scoreOf(ranked('stale-reference', { trails: [trail('look-afresh', -0.75)] }), 'look-afresh'),
    ).toBeLessThan(plain);
    expect(
      ranked('stale-reference', { trails: [trail('look-afresh', -0.75, 'element:e40')] }),
    ).toEqual(ranked('stale-reference'));
  });

  test('one lucky case does not win', () => {
    const order = (trails: ReturnType<typeof trail>[]) =>
      ranked('stale-reference', { trails }).map(({ name }) => name);
    expect(order([trail('resolve-by-name', 1)])).toEqual(order([]));
    expect(order(Array.from({ length: 4 }, () => trail('resolve-by-name', 1)))[0]).toBe(
      'resolve-by-name',
    );
  });

  test('learned shares move a candidate up or down by a quarter at most, and never through a gate', () => {
    const best = ranked('stale-reference', { learned: { 'stale-reference/page/find-on-page': 1 } });
    expect(best[0]).toMatchObject({ name: 'find-on-page', score: 1 });
    const worst = ranked('stale-reference', { learned: { 'stale-reference/page/look-afresh': 0 } });
    expect(scoreOf(worst, 'look-afresh')).toBe(0.7);
    const gated = ranked('blocked-page', {
      learned: { 'blocked-page/page/retry-blindly': 1, 'blocked-page/page/click-blindly': 1 },
    });
    expect(offered(gated)).toEqual(offered(ranked('blocked-page')));
  });

  test.each([Number.NaN, -3, 17])('a learned share of %d is no share and is ignored', (share) => {
    expect(
      ranked('stale-reference', { learned: { 'stale-reference/page/look-afresh': share } }),
    ).toEqual(ranked('stale-reference'));
  });
});

describe('gates', () => {
  test('a strange tool that its server declares destructive is not offered, but for what the user allows by name', () => {
    const failed = { ...click, failure: 'stale-reference' };
    const memory = memoryOf([failed], ['get_page_tree'], ['get_page_tree']);
    const find = (allow: string[]) =>
      ranked('stale-reference', { failed, memory, allow: new Set(allow) }).find(
        ({ name }) => name === 'look-afresh',
      );
    expect(find([])).not.toHaveProperty('tool');
    expect(find(['look-afresh'])).toMatchObject({ tool: 'get_page_tree' });
  });

  test('a known tool is weighed by what it does, not by what its server declares: pressing a key deletes nothing', () => {
    const failed = { ...click, failure: 'no-effect' };
    const candidates = ranked('no-effect', {
      failed,
      memory: memoryOf([failed], PAGE_TOOLS, PAGE_TOOLS),
    });
    expect(offered(candidates)).toContainEqual(
      expect.objectContaining({ name: 'activate-by-key', tool: 'browser_press_key' }),
    );
  });

  test('where the thing acted on deletes, pays or sends, nothing that acts is offered', () => {
    const failed: RecentCall = { ...click, failure: 'no-effect', grave: true };
    expect(offered(ranked('no-effect', { failed })).map(({ risk }) => risk)).toEqual(['read_only']);
  });
});

test('in words: the tool with its arguments, what to do and why; three at most; nothing if there is nothing', () => {
  expect(movesOf(ranked('stale-reference'), [], false)).toEqual([
    '`browser_snapshot`: take a fresh snapshot; references expire when the page changes',
    'find the same element in it by role and name, and use its new reference',
    '`find`: search the page for the element',
  ]);
  const failed: RecentCall = {
    tool: 'Read',
    key: 'k',
    world: 'file',
    target: 'file:1',
    path: 'src/a.ts',
    failure: 'missing-file',
  };
  const moves = (tool: string): string =>
    movesOf(ranked('missing-file', { failed, memory: memoryOf([failed], [tool]) }), [], false)[0]!;
  expect(moves('list_directory')).toMatch(/^`list_directory {"path":"src"}`: see what/);
  expect(moves('Bash')).toMatch(/^`ls -la 'src'`: see what/);
  expect(movesOf([], [], false)).toEqual([]);
  expect(
    movesOf(
      ranked('blocked-page').filter(({ blockedReason }) => blockedReason),
      [],
      false,
    ),
  ).toEqual([]);
});

test('what suits the pattern stands before candidates for which little speaks, unless everything stalls', () => {
  const weak = ranked('other');
  expect(movesOf(weak, ['do this'], false)[0]).toBe('do this');
  expect(movesOf(weak, ['do this'], true).at(-1)).toBe('do this');
  expect(movesOf(ranked('stale-reference'), ['do this'], false)).toHaveLength(4);
  expect(movesOf(ranked('stale-reference'), ['do this'], false).at(-1)).toBe('do this');
});
