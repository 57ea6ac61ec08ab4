import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/build.ts';
import { type FrameworkUnderTest, testFramework } from '../suites/test-framework.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const FOLDER = 'packages/adapters/src/frameworks';
const ADAPTERS = globSync(`${FOLDER}/*/index.ts`, { cwd: root }).map(
  (file) => file.split('/').at(-2)!,
);
const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> };

/** The features that every adapter is tested for, and the pattern of the test's name. */
const CELLS: Record<string, RegExp> = {
  text: /tells a loop of equal calls more at each rung, then ends it$/,
  stream: /does the same while streaming, and lets text pass at once$/,
  'structured output': /throws a LoopError at a stop if the answer has to match a schema/,
  'parallel calls': /refuses (?:one of several calls|a call in its own result)/,
  abort: /passes an abort on$/,
  'provider error': /passes an error of the model on$/,
  'stop by answer': /tells a loop of equal calls more at each rung, then ends it$/,
  'stop by throw': /throws a LoopError at a stop if the user wants that/,
  'shadow with a given guard': /sends nothing in shadow mode with a guard that was given$/,
};

/** Features that an adapter cannot have, as in the table of docs/frameworks.md. */
const WITHOUT: Record<string, readonly string[]> = {
  // The program asks the model itself: it streams, aborts and knows the schema.
  messages: ['stream', 'abort', 'structured output'],
};

/** The SDK starts a program of its own, so its cases are written for it. */
const OF_CLAUDE: Record<string, RegExp> = {
  text: /is warned, hinted, blocked and stopped/,
  stream: /for await \(const message of query\(/,
  'structured output': /ends a run whose answer has to match a schema/,
  'parallel calls': /refuses one of several calls of a response/,
  abort: /passes an abort on/,
  'provider error': /passes an error of the provider on/,
  'stop by answer': /terminal_reason: 'hook_stopped'/,
  'stop by throw': /cannot throw at a stop, and says so/,
  'shadow with a given guard': /acts on nothing in shadow mode with a guard that was given/,
};

/** The test files that run the suite with an adapter. */
const suitesOf = (adapter: string): string[] =>
  globSync(['packages/adapters/src/frameworks/*/*.test.ts', 'test/real/*.test.ts'], { cwd: root })
    .map(read)
    .filter(
      (text) =>
        text.includes('testFramework(') &&
        (new RegExp(`frameworks/${adapter}/(?:index|plugin)\\.ts'`).test(text) ||
          (text.includes("'./index.ts'") && text.includes(`frameworks/${adapter}.mjs`))),
    );

const flag = (text: string, name: string): boolean | undefined => {
  const found = new RegExp(`^ {2}${name}: (true|false),$`, 'm').exec(text);
  return found ? found[1] === 'true' : undefined;
};

describe('the matrix of adapters', () => {
  test('has every published adapter, and its row in the docs', () => {
    expect(ADAPTERS.filter((name) => !(`./${name}` in exports))).toEqual([]);
    expect(ADAPTERS.length).toBe(9);
    const table = read('docs/frameworks.md').split('## How a stop arrives')[1]!.split('\n## ')[0]!;
    for (const name of [
      ...['AI SDK, Mastra', 'LangChain, `guardModel`', 'LangChain, middleware', 'OpenAI Agents'],
      ...['Genkit', 'Google ADK', 'Claude Agent SDK', 'Strands', '`followMessages`', 'gateway'],
    ])
      expect(table).toContain(`\n| ${name} |`);
  });

  test.each(ADAPTERS.filter((name) => name !== 'claude-agent-sdk'))('%s has every cell', (name) => {
    const [text, ...others] = suitesOf(name);
    expect([typeof text, others.length]).toEqual(['string', 0]);
    const cases = testFramework({
      name,
      can: ['note', 'hint', 'block', 'escalate', 'stop'],
      streams: flag(text!, 'streams'),
      resumes: flag(text!, 'resumes'),
      schemas: flag(text!, 'schemas'),
      refusesInPlace: flag(text!, 'refusesInPlace'),
    } as unknown as FrameworkUnderTest).map((each) => each.name);
    const missing = Object.keys(CELLS).filter(
      (cell) => !cases.some((each) => CELLS[cell]!.test(each)),
    );
    expect(missing.sort()).toEqual([...(WITHOUT[name] ?? [])].sort());
    expect(text).toContain("can: ['note', 'hint', 'block', 'escalate', 'stop'],");
    expect(text).not.toContain("throws: 'never'");
  });

  test('claude-agent-sdk has every cell', () => {
    const text = ['test/frameworks/claude-agent-sdk.test.ts', 'test/real/claude-agent-sdk.test.ts']
      .map(read)
      .join('\n');
    for (const cell of Object.keys(CELLS)) expect(text, cell).toMatch(OF_CLAUDE[cell]!);
  });

  test('the gateway has every cell: a stop cannot be thrown, and a schema has its own cases', () => {
    const suite = read('test/real/gateway-clients.test.ts');
    expect(suite).toContain('testFramework(');
    expect(suite).toMatch(/streams: true,\n.*throws: 'never',/s);
    const own = read('test/gateway/gateway.process.test.ts');
    expect(own).toMatch(/schema: \{ response_format/);
    expect(own).toMatch(/REFUSALS\[/);
  });
});
