import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGuard } from '@unrut/engine/guard';
import type { Suggestion } from '@unrut/ledger/report/scan-report';
import { sectionsOf } from '@unrut/test/structure/markdown';
import { root } from '@unrut/test/structure/tree';
import { momentsOf } from '@unrut/testing/trace';
import { describe, expect, it, test } from 'vitest';
import { createRunScan } from '../scan/run-scan.ts';
import { suggestRules } from './rules.ts';
import { type Lead, suggestionsFrom } from './suggestions.ts';

const README = readFileSync(join(root, 'packages/logs/src/suggest/README.md'), 'utf8');
const sections = sectionsOf(README);

/** The leads of runs in the notation of the README. */
function leadsIn(lines: readonly string[], about: { repository?: string } = {}): Lead[] {
  const leads: Lead[] = [];
  const starts = lines.flatMap((line, i) => (line.startsWith('run ') ? [i] : []));
  for (const [n, start] of starts.entries()) {
    const [, id, format] = lines[start]!.split(' ');
    const scan = createRunScan(createGuard({ shadow: true }), { suggest: true });
    for (const { events } of momentsOf(lines.slice(start + 1, starts[n + 1])))
      for (const event of events) scan.see({ step: 0, event, timed: true }, format);
    const run = scan.report({
      id: id!,
      file: `${id}.jsonl`,
      format: format!,
      skipped: 0,
      ...about,
    });
    leads.push(...scan.leads(run, id!.split('/')[0]!));
  }
  return leads;
}

const suggested = (lines: readonly string[], about = {}): Suggestion[] =>
  suggestionsFrom(leadsIn(lines, about));
const added = (lines: readonly string[]): string[] =>
  suggested(lines).map(({ file, add }) => `${file}: ${add}`);

test('the README has every rule, in the order in which they are tried', () => {
  expect(
    sections
      .filter(({ heading }) => heading.startsWith('## '))
      .map(({ heading }) => heading.slice(3)),
  ).toEqual(suggestRules.map(({ name }) => name));
});

describe.each(suggestRules.map(({ name }) => name))('the rule %s', (name) => {
  const at = sections.findIndex(({ heading }) => heading === `## ${name}`);
  const [does, doesNot] = [sections[at + 1]!.fences, sections[at + 2]!.fences];

  it('has a case and a twin', () => {
    expect(does.length).toBeGreaterThan(0);
    expect(doesNot.length).toBeGreaterThan(0);
  });
  it.each(does.filter(({ info }) => info === 'runs'))(
    'suggests what the README says, %#',
    (runs) => {
      const expected = does[does.indexOf(runs) + 1]!.lines;
      expect(added(runs.lines)).toEqual(expected);
      expect(suggested(runs.lines)[0]!.rule).toBe(name);
    },
  );
  it.each(does.filter(({ info }) => info === 'runs'))(
    'suggests nothing for one run, %#',
    (runs) => {
      const second = runs.lines.findIndex((line, i) => i > 0 && line.startsWith('run '));
      expect(leadsIn(runs.lines.slice(0, second))).toHaveLength(1);
      expect(added(runs.lines.slice(0, second))).toEqual([]);
    },
  );
  it.each(doesNot)('suggests nothing for the twin, %#', ({ lines }) => {
    expect(added(lines)).toEqual([]);
  });
});

const failing = (id: string, format = 'codex'): string[] => [
  `run ${id} ${format}`,
  'shell {"command":["npm","test"]} -> exit 1 "Error: Cannot find module \'pg\'" x6',
];

describe('loops are joined', () => {
  it('with the runs that they come from, and what they wasted', () => {
    const [only, ...others] = suggested([...failing('b'), ...failing('a')]);
    expect(others).toEqual([]);
    expect(only!.runs.map(({ id, file }) => [id, file])).toEqual([
      ['a', 'a.jsonl'],
      ['b', 'b.jsonl'],
    ]);
    expect(only!.wastedSteps).toBe(10);
  });

  it('not if they are two nested agents of one session', () => {
    expect(suggested([...failing('a/x'), ...failing('a/y')])).toEqual([]);
    expect(suggested([...failing('a/x'), ...failing('b/x')])).toHaveLength(1);
  });

  it('not across hosts or folders', () => {
    expect(suggested([...failing('a'), ...failing('b', 'claude-code')])).toEqual([]);
    expect(
      suggestionsFrom([
        ...leadsIn(failing('a'), { repository: 'shop' }),
        ...leadsIn(failing('b'), { repository: 'blog' }),
      ]),
    ).toEqual([]);
  });
});

it('a transcript that says only when a call began and ended tells how long it took', () => {
  const leads = ['a', 'b'].flatMap((id) => {
    const scan = createRunScan(createGuard({ shadow: true }), { suggest: true });
    for (const n of [1, 2, 3, 4, 5, 6]) {
      const at = 1_760_000_000_000 + n * 200_000;
      const call = { id: `${id}${n}`, tool: 'Bash', args: { command: 'npm test' } };
      const base = { session: id, call };
      const error = "Exit code 1\nError: Cannot find module 'pg'";
      scan.see(
        { step: 0, timed: true, event: { ...base, type: 'call-proposed', at } },
        'claude-code',
      );
      const end = at + 88_000 + n * 500;
      const finished = { ...base, type: 'call-finished', at: end, error, exitCode: 1 } as const;
      scan.see({ step: 0, timed: true, event: finished }, 'claude-code');
    }
    const about = { id, file: `${id}.jsonl`, format: 'claude-code', skipped: 0 };
    return scan.leads(scan.report(about), id);
  });
  expect(suggestionsFrom(leads)[0]!.add).toContain('`npm test` takes 89 s and fails with');
});

it('a line says how long a command takes, if that is long', () => {
  const [one, other] = leadsIn([...failing('a'), ...failing('b')]);
  const slow = (lead: Lead): Lead => ({ ...lead, facts: { ...lead.facts, ms: 90_400 } });
  expect(suggestionsFrom([slow(one!), slow(other!)])[0]!.add).toBe(
    "- `npm test` takes 90 s and fails with `Error: Cannot find module 'pg'`. Do not run it again before that is fixed.",
  );
});
