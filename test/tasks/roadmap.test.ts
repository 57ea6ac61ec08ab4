import { readRoadmap } from '@unrut/tasks';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

describe('a roadmap in YAML', () => {
  test('has tasks with ids, prompts, dependencies, exit criteria, checks and complexity', () => {
    const text = `
checks:
  lint: npm run lint
  critic: { command: npm run critic, probe: curl -sf localhost:9000/health }
tasks:
  - id: T1
    title: The schema
    prompt: Write the schema.
    exitCriteria: npm test
    complexity: high
  - id: 2
    prompt: |
      Write the form.
    dependsOn: [T1]
    exitCriteria: [npm test, npm run build]
    checks: [lint, critic]
    status: in_progress
`;
    expect(readRoadmap(parse(text))).toEqual({
      checks: {
        lint: { command: 'npm run lint' },
        critic: { command: 'npm run critic', probe: 'curl -sf localhost:9000/health' },
      },
      tasks: [
        {
          id: 'T1',
          title: 'The schema',
          prompt: 'Write the schema.',
          dependsOn: [],
          exitCriteria: ['npm test'],
          checks: [],
          complexity: 'high',
          status: 'pending',
          hasNoStatus: true,
        },
        {
          id: '2',
          title: '2',
          prompt: 'Write the form.\n',
          dependsOn: ['T1'],
          exitCriteria: ['npm test', 'npm run build'],
          checks: ['lint', 'critic'],
          status: 'in_progress',
        },
      ],
    });
  });

  const task = { id: 'A', prompt: 'Do it.' };
  test.each<[unknown, string]>([
    ['text', 'Expected a mapping with tasks, each with id and prompt, got `"text"`.'],
    [{ steps: [] }, 'Unknown key `steps`. Known: tasks, checks.'],
    [{ tasks: [{ prompt: 'x' }] }, 'task 1: Expected `id` to be a non-empty string, got nothing.'],
    [{ tasks: [{ id: 'A' }] }, 'task A: Expected `prompt` to be a non-empty string, got nothing.'],
    [
      { tasks: [{ ...task, after: 'B' }] },
      'task A: Unknown key `after`. Known: id, title, prompt,',
    ],
    [
      { tasks: [{ ...task, status: 'open' }] },
      'task A: Expected `status` to be one of pending, in_progress',
    ],
    [
      { tasks: [{ ...task, complexity: 9 }] },
      'Expected `complexity` to be low, medium, high or 1 to 5, got `9`.',
    ],
    [{ tasks: [task, task] }, 'two tasks have the id A.'],
    [{ tasks: [{ ...task, dependsOn: ['B'] }] }, 'task A depends on B, which does not exist.'],
    [
      { tasks: [{ ...task, checks: ['lint'] }] },
      'task A requires the check lint, which is not listed under checks.',
    ],
    [
      {
        tasks: [
          { ...task, dependsOn: ['B'] },
          { ...task, id: 'B', dependsOn: ['A'] },
        ],
      },
      'tasks depend on each other: A → B → A.',
    ],
    [
      { tasks: [], checks: { lint: 3 } },
      'Expected `checks.lint` to be a command, or an object with command and probe, got `3`.',
    ],
  ])('that is wrong says so in one line: %j', (value, message) => {
    expect(() => readRoadmap(value, 'roadmap.yaml')).toThrow(`[tasks] roadmap.yaml: `);
    expect(() => readRoadmap(value, 'roadmap.yaml')).toThrow(message);
  });
});
