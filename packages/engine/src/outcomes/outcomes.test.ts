import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sectionsOf } from '@unrut/test/structure/markdown';
import { root } from '@unrut/test/structure/tree';
import { describe, expect, test } from 'vitest';
import type { CallFinished, RefusedBy } from '../event.ts';
import { startFolders } from '../fingerprint/folder.ts';
import { readFinished } from '../fingerprint/read-call.ts';
import type { ResultOutcome } from './outcome.ts';
import { factsOf, readOutcome } from './read-outcome.ts';
import { outcomeRules } from './rules.ts';

const README = readFileSync(join(root, 'packages/engine/src/outcomes/README.md'), 'utf8');

/** `Tool {args} -> result [error=false exitCode=1 refusedBy=user]`. */
const CASE = /^(\S+) (\{.*?\}) -> (.+?)(?: \[((?:error|exitCode|refusedBy)=[^\]]*)\])?$/;

function outcomeOf(line: string): ResultOutcome {
  const [, tool, args, result, facts = ''] = CASE.exec(line)!;
  const given = new Map(facts.split(' ').map((fact) => fact.split('=') as [string, string]));
  const event: CallFinished = {
    type: 'call-finished',
    session: 's',
    at: 0,
    call: { id: 'c', tool: tool!, args: JSON.parse(args!) },
    result: JSON.parse(result!),
  };
  if (given.has('error')) event.error = given.get('error') === 'true';
  if (given.has('exitCode')) event.exitCode = Number(given.get('exitCode'));
  if (given.has('refusedBy')) event.refusedBy = given.get('refusedBy') as RefusedBy;
  const call = readFinished({
    call: event.call,
    annotations: undefined,
    declared: undefined,
    folders: startFolders(),
    seed: 0,
  });
  return readOutcome(factsOf(event, call));
}

const sections = sectionsOf(README);
const rulesInReadme = sections
  .filter(({ heading }) => heading.startsWith('## '))
  .map(({ heading }) => heading.slice(3));

/** The cases under the two headings that follow the heading of a rule. */
const casesOf = (name: string, which: 1 | 2): string[] => {
  const at = sections.findIndex(({ heading }) => heading === `## ${name}`);
  return sections[at + which]!.fences.flatMap(({ lines }) => lines);
};

test('the README has every rule, in the order in which they are tried', () => {
  expect(rulesInReadme).toEqual(outcomeRules.map(({ name }) => name));
});

describe.each(outcomeRules.map((rule) => [rule.name, rule] as const))(
  'the rule %s',
  (name, rule) => {
    test.each(casesOf(name, 1))('decides: %s', (line) => {
      const { rule: decided, failed, why } = outcomeOf(line);
      expect([decided, failed, why]).toEqual([name, rule.gives, rule.why]);
    });

    test.each(casesOf(name, 2))('does not decide: %s', (line) => {
      expect(outcomeOf(line).rule).not.toBe(name);
    });
  },
);
