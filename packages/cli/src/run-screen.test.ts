import { limitReport, loopReport } from '@unrut/tasks/run/escalation-report';
import { expect, test } from 'vitest';
import { plainReport } from './run-screen.ts';

const tried = [
  { iteration: 1, what: 'wrote **bold** words' },
  { iteration: 2, what: 'wrote them again' },
] as unknown as Parameters<typeof loopReport>[1];

test('a report on a terminal has no Markdown and no signature', () => {
  const found = { pattern: 'Same output', signature: 'text:same~abc', count: 2 };
  const report = loopReport(found as unknown as Parameters<typeof loopReport>[0], tried, true);
  const shown = plainReport(report);
  expect(report).toContain('**Signature**');
  expect(shown).not.toMatch(/\*\*|##|~abc/);
  expect(shown).toMatch(/^Loop Detected\n\nPattern: Same output\n\nIteration history:\n/);
  expect(shown).toContain('1. Continue with different approach - ');
});

test('the report of a limit keeps its reason', () => {
  const shown = plainReport(limitReport('max_iterations', 'Ten are enough.', tried));
  expect(shown).toMatch(/^Limit Reached\n\nLimit: max iterations\nReason: Ten are enough\./);
});
