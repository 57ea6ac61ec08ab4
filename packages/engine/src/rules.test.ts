import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sectionsOf } from '@unrut/test/structure/markdown';
import { root } from '@unrut/test/structure/tree';
import { momentsOf } from '@unrut/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Detector } from './detectors/detector.ts';
import { detectors } from './detectors/index.ts';
import * as nearRepeat from './detectors/near-repeat/rules.ts';
import * as repeatedCall from './detectors/repeated-call/rules.ts';
import * as repeatedError from './detectors/repeated-error/rules.ts';
import * as sameAnswer from './detectors/same-answer/rules.ts';
import type { Fingerprint } from './fingerprint/fingerprint.ts';
import { NEUTRAL_RULES } from './fingerprint/neutral/rules.ts';
import { PROGRESS_RULES } from './fingerprint/progress/rules.ts';
import { WORLD_RULES } from './fingerprint/world/rules.ts';
import { createGuard } from './guard.ts';
import { recommended } from './presets.ts';
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

afterEach(() => void vi.restoreAllMocks());

type AnyRule = Rule<never, unknown>;

/** The rules that held at the last line of a trace, of these lists of a detector. */
function heldAtEnd(rules: readonly AnyRule[], detector: Detector, lines: readonly string[]) {
  const moments = momentsOf(lines);
  const guard = createGuard({ preset: { ...recommended, detectors: [detector] } });
  const held = new Set<string>();
  for (const rule of rules) {
    const { when } = rule;
    vi.spyOn(rule, 'when').mockImplementation((question) => {
      const holds = when(question);
      if (holds) held.add(rule.name);
      return holds;
    });
  }
  for (const { events } of moments) {
    held.clear();
    for (const event of events) expect(guard.observe(event).faults).toEqual([]);
  }
  return held;
}

const RULED: readonly [name: string, lists: readonly (readonly AnyRule[])[]][] = [
  ['repeated-call', [repeatedCall.REPEAT_RULES, repeatedCall.CAP_RULES]],
  ['repeated-error', [repeatedError.ERROR_RULES, repeatedError.FAILING_RULES]],
  ['same-answer', [sameAnswer.ANSWER_RULES, sameAnswer.QUIET_RULES, sameAnswer.VARIANT_RULES]],
  ['near-repeat', [nearRepeat.KIND_RULES, nearRepeat.LOOP_RULES]],
];

describe.each(RULED)('the rules of %s', (folder, lists) => {
  const detector = detectors.find(({ name }) => name === folder)! as Detector;
  const path = join(root, 'packages/engine/src/detectors', folder, 'README.md');
  const sections = sectionsOf(readFileSync(path, 'utf8'));
  const rules = lists.flat();
  const tracesOf = (name: string, info: string): string[][] =>
    sections
      .find(({ heading }) => heading === `### ${name}`)!
      .fences.filter((fence) => fence.info === info)
      .map(({ lines }) => lines);

  test('are all in its README, in the order in which they are tried', () => {
    const named = sections.flatMap(({ heading }) => /^### (.*)$/.exec(heading)?.[1] ?? []);
    expect(named).toEqual(rules.map(({ name }) => name));
  });

  test.each(rules.map(({ name }) => name))('%s decides in its trace, not in its twin', (name) => {
    const ones = tracesOf(name, 'decides');
    const twins = tracesOf(name, 'twin');
    expect([ones.length, twins.length]).toEqual([1, 1]);
    expect([...heldAtEnd(rules, detector, ones[0]!)]).toContain(name);
    vi.restoreAllMocks();
    expect([...heldAtEnd(rules, detector, twins[0]!)]).not.toContain(name);
  });
});
