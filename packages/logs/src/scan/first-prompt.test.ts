import { expect, test } from 'vitest';
import { firstPrompt } from './first-prompt.ts';

test('a prompt is shown on one line, and cut', () => {
  expect(firstPrompt('Fix the\n  invoice tests.')).toBe('Fix the invoice tests.');
  expect(firstPrompt('word '.repeat(50))!.length).toBeLessThanOrEqual(82);
});

test('what a host puts around a prompt is left out', () => {
  expect(firstPrompt('<environment_context>\n<cwd>/home/x</cwd>\n</environment_context>')).toBe(
    undefined,
  );
  expect(firstPrompt('<system-reminder>Be kind.</system-reminder>\nAdd a < b to the docs.')).toBe(
    'Add a < b to the docs.',
  );
});

test('a secret in a prompt is masked', () => {
  const key = `sk-ant-api03-${'Ab3'.repeat(12)}`;
  expect(firstPrompt(`Use ${key} for the call`)).not.toContain(key);
});
