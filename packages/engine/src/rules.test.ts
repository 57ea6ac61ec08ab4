import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sectionsOf } from '@unrut/test/structure/markdown';
import { root } from '@unrut/test/structure/tree';
import { momentsOf } from '@unrut/testing';
import { describe, expect, test } from 'vitest';
import type { Fingerprint } from './fingerprint/fingerprint.ts';
import { NEUTRAL_RULES } from './fingerprint/neutral/rules.ts';
import { PROGRESS_RULES } from './fingerprint/progress/rules.ts';
import { WORLD_RULES } from './fingerprint/world/rules.ts';
import { createGuard } from './guard.ts';
import type { Rule } from './rule.ts';

interface RuleList {
  folder: string;
  rules: readonly Pick<Rule<never, unknown>, 'name' | 'gives'>[];
  /** The rule that decided, and what it gives. */
  decided(seen: Fingerprint): [rule: string | undefined, given: unknown];
}

const LISTS: readonly RuleList[] = [
  {
    folder: 'fingerprint/progress',
    rules: PROGRESS_RULES,
    decided: ({ progressRule, progress }) => [progressRule, progress],
  },
  {
    folder: 'fingerprint/neutral',
    rules: NEUTRAL_RULES,
    decided: ({ neutralRule, neutral }) => [neutralRule, neutral],
  },
  {
    folder: 'fingerprint/world',
    rules: WORLD_RULES,
    decided: ({ world }) => [world?.rule, world?.world],
  },
];

/** What the guard saw at the last line of a trace. */
function lastSeen(lines: readonly string[]): Fingerprint {
  const guard = createGuard();
  let last: Fingerprint | null = null;
  for (const { events } of momentsOf(lines))
    for (const event of events) {
      const { seen, faults } = guard.observe(event);
      expect(faults).toEqual([]);
      if (seen?.result) last = seen;
    }
  return last!;
}

describe.each(LISTS)('the rules of $folder', ({ folder, rules, decided }) => {
  const readme = readFileSync(join(root, 'packages/engine/src', folder, 'README.md'), 'utf8');
  const sections = sectionsOf(readme);
  const tracesOf = (name: string, which: 1 | 2): [string, string[]][] => {
    const at = sections.findIndex(({ heading }) => heading === `## ${name}`);
    return sections[at + which]!.fences.map(({ lines }) => [lines.at(-1)!, lines]);
  };

  test('are all in its README, in the order in which they are tried', () => {
    const named = sections.flatMap(({ heading }) => /^## (.*)$/.exec(heading)?.[1] ?? []);
    expect(named).toEqual(rules.map(({ name }) => name));
  });

  describe.each(rules.map(({ name, gives }) => [name, gives] as const))('%s', (name, gives) => {
    test('has a trace and its twin', () => {
      expect(tracesOf(name, 1)).not.toEqual([]);
      expect(tracesOf(name, 2)).not.toEqual([]);
    });

    test.each(tracesOf(name, 1))('decides: %s', (_, lines) => {
      expect(decided(lastSeen(lines))).toEqual([name, gives]);
    });

    test.each(tracesOf(name, 2))('does not decide: %s', (_, lines) => {
      expect(decided(lastSeen(lines))[0]).not.toBe(name);
    });
  });
});
