import { describe, expect, it } from 'vitest';
import { soughtWords } from './sought.ts';
import { sharedBy } from './words.ts';

const inShell = (command: string) => soughtWords(command.split(' ')[0]!, command, {}, 7);
const inTool = (pattern: string) => soughtWords('Grep', null, { pattern, path: '/w/src' }, 7);
const alike = (one: number[] | undefined, other: number[] | undefined): boolean =>
  sharedBy(one ?? [], other ?? []) > 0;

describe('the words that a search looks for', () => {
  it.each([
    ['grep -rn "no_think" src', 'grep -rni enableThinking lib | head -20'],
    ['rg -A 3 --glob "*.ts" retryLimit', 'rg RETRY_LIMIT src'],
    ['find . -type f -name "*retry*"', 'grep -rl retry src'],
    ['find . -name "*.py" | xargs grep -l "retry"', 'grep -e retry -r src'],
    ['grep -n "[Rr]etry" a.ts', 'grep -n "retry\\b" b.ts'],
  ])('%s and %s look for one thing', (one, other) => {
    expect(alike(inShell(one), inShell(other))).toBe(true);
  });

  it.each([
    ['grep -rn colour src', 'grep -rn legacyMode src'],
    ['grep -rn "class Owl" src', 'grep -rn "class Wren" src'],
    ['rg --glob "*.retry" owl', 'rg --glob "*.retry" wren'],
    ['find src -name "*.py"', 'find lib -name "*.py"'],
  ])('%s and %s look for two things', (one, other) => {
    expect(alike(inShell(one), inShell(other))).toBe(false);
  });

  it('are those of the pattern that a tool is given, and not those of its path', () => {
    expect(alike(inTool('func retryAll'), inTool('retry_limit'))).toBe(true);
    expect(alike(inTool('func owls'), inTool('func wrens'))).toBe(false);
  });

  it('are undefined for other calls', () => {
    expect(soughtWords('npm test', 'npm test -- retry', {}, 7)).toBeUndefined();
    expect(soughtWords('web_search', null, { query: 'retry' }, 7)).toBeUndefined();
    expect(soughtWords('Grep', null, null, 7)).toBeUndefined();
  });
});
