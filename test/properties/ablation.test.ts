import type { AgentEvent } from '@unrut/engine/event';
import { describe, expect, test } from 'vitest';
import { createGuard, detectors, recommended, without } from '../../packages/cli/src/index.ts';
import { name, prose, source } from '../scenarios/content.ts';
import {
  type CallStep,
  type Happening,
  type Item,
  inTurn,
  play,
  times,
} from '../scenarios/scenario.ts';
import { READS } from '../scenarios/vocabulary.ts';

const edit = (index: number): CallStep => ({
  tool: 'Edit',
  args: {
    file_path: 'src/a.ts',
    old_string: `const limit = ${index};`,
    new_string: `const limit = ${index + 1};`,
  },
  result: 'The file src/a.ts has been updated successfully.',
});
const failing: CallStep = {
  tool: 'Bash',
  args: { command: 'npm test' },
  result: ' FAIL  test/a.test.ts > limit\n Tests  1 failed | 24 passed (25)',
  exitCode: 1,
};
const thought = (text: string, channel = 'thinking'): Happening => ({
  event: { type: 'text-added', text, channel, done: true },
});
const reads = READS['record lookups']!;

/** Runs in which something goes round, one for each kind of circle. */
const TRACES: Record<string, Item[]> = {
  'the same call': inTurn(12, [reads[0]!]),
  'two in turn': inTurn(14, reads.slice(0, 2)),
  'three in turn': inTurn(18, reads.slice(0, 3)),
  'eight in turn': inTurn(32, reads),
  'A-A-B': inTurn(15, [reads[0]!, reads[0]!, reads[1]!]),
  'one error class': times(10, (i) => ({
    tool: 'fetch_record',
    args: { key: name(i) },
    error: `Error: record "${name(i)}" not found`,
  })),
  'empty answers': times(10, (i) => ({
    tool: 'search_docs',
    args: { query: prose(i, 3) },
    result: 'No results found.',
  })),
  'an edit and the same failure': times(10, (i) => [edit(i), { ...failing }]).flat(),
  'edits of one region': times(10, edit),
  'edits to and fro': times(10, (i) =>
    i % 2 === 0
      ? edit(1)
      : {
          ...edit(1),
          args: {
            file_path: 'src/a.ts',
            old_string: 'const limit = 2;',
            new_string: 'const limit = 1;',
          },
        },
  ),
  'blind patches': times(10, (i) => ({
    tool: 'patchWidget',
    args: { spaceId: 's', widgetId: 'w', patch: source(i, 1) },
    result: 'Widget "w" patched, rendered ok.',
  })),
  'no-op commands': inTurn(
    12,
    ['true', ':', 'echo ok', 'sleep 0'].map((command) => ({
      tool: 'Bash',
      args: { command },
      result: '',
      exitCode: 0,
    })),
  ),
  'unknown tools': times(8, (i) => ({
    tool: `tool_${name(i)}`,
    refusedBy: 'unknown-tool',
    result: 'There is no such tool.',
  })),
  'invalid arguments': times(8, (i) => ({
    tool: 'book_room',
    args: { day: i },
    refusedBy: 'schema',
    result: 'day must be a string',
  })),
  'doubled batches': times(6, (i) => ({
    parallel: times(3, () => ({ ...reads[0]! })),
    batch: `b${i}`,
  })),
  'a stale poll': times(16, () => ({
    wait: 30,
    tool: 'get_job_status',
    args: { job: 5 },
    result: { state: 'running', done: 3, of: 9 },
  })),
  'rate limits': times(8, () => ({
    tool: 'fetch_record',
    args: { key: 'c' },
    error: 'HTTP 429 Too Many Requests',
  })),
  'try and look': times(10, (i) => [
    {
      tool: 'mcp__playwright__browser_click',
      args: { element: 'Save', ref: `e${i}` },
      error: `Error: Ref e${i} not found in the current page snapshot.`,
    },
    {
      tool: 'mcp__playwright__browser_snapshot',
      args: {},
      result: '- heading "Checkout" [ref=e3]\n- button "Save" [ref=e8]',
    },
  ]).flat(),
  chanting: times(40, () => ({
    wait: 0.1,
    event: { type: 'text-added', channel: 'answer', text: 'and then we look at the file again, ' },
  })),
  'the same thought': times(10, () =>
    thought(
      'I should look at the session file again, because the token may be refreshed there before it expires.',
    ),
  ),
  'the same message': times(8, () =>
    thought('I am ready to help. What would you like me to do next?', 'answer'),
  ),
  'the same output': times(8, () => ({
    event: {
      type: 'output-finished',
      output: 'Error: TypeError - Cannot read property id of null at auth.ts:45',
    },
  })),
  'the same click': times(10, () => ({
    action: { type: 'click', x: 40, y: 60 },
    target: { role: 'button', name: 'Save' },
    screen: { url: 'https://e.com', frame: 'ffee00112233aabb' },
  })),
  'a drifting click': times(10, (i) => ({
    action: { type: 'click', x: 40 + (i % 4), y: 60 - (i % 3) },
    screen: { url: 'https://e.com', frame: 'ffee00112233aabb' },
  })),
};

type Preset = typeof recommended;

/**
 * Where each detector spoke and what it counted; rungs are the policy's, which all of them share.
 */
async function spoken(items: Item[], preset: Preset): Promise<Map<string, string[]>> {
  const guard = createGuard({ preset });
  const moments = await play(items, {
    observe: (event: AgentEvent) => guard.observe(event),
    ignores: true,
  });
  const lines = new Map<string, string[]>();
  for (const [index, { verdict }] of moments.entries()) {
    for (const { detector, variant, count, since, strength } of verdict.signals) {
      const line = JSON.stringify({ event: index, variant, count, since, strength });
      lines.set(detector, [...(lines.get(detector) ?? []), line]);
    }
  }
  return lines;
}

describe('leaving out a detector', () => {
  const yielding = new Set<string>(
    detectors
      .filter((detector) => (detector as { yields?: boolean }).yields === true)
      .map((detector) => detector.name),
  );

  test('the traces make many detectors speak', async () => {
    const speakers = new Set<string>();
    for (const items of Object.values(TRACES))
      for (const detector of (await spoken(items, recommended)).keys()) speakers.add(detector);
    expect([...speakers].sort().length, [...speakers].sort().join(', ')).toBeGreaterThanOrEqual(8);
  });

  test.each(detectors.map((detector) => detector.name))(
    '%s changes no signal of another',
    async (left) => {
      const preset = without(left);
      for (const [title, items] of Object.entries(TRACES)) {
        const whole = await spoken(items, recommended);
        const fewer = await spoken(items, preset);
        expect(fewer.has(left), `${title}: ${left} still speaks`).toBe(false);
        for (const detector of new Set([...whole.keys(), ...fewer.keys()])) {
          if (detector === left) continue;
          const before = whole.get(detector) ?? [];
          const after = fewer.get(detector) ?? [];
          if (yielding.has(detector))
            expect(after.length, `${title}: ${detector} lost a signal`).toBeGreaterThanOrEqual(
              before.length,
            );
          else expect(after, `${title}: ${detector}`).toEqual(before);
        }
      }
    },
  );
});
