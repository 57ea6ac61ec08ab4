import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Printed } from '../packages/cli/src/printed.ts';
import { makeOutputSchema, outputSchemaFile } from '../scripts/output-schema.ts';
import { schemaFaults } from './output-schema.ts';
import { makePlace, type Place } from './run/place.ts';
import { busy, lines, stuck } from './scan/neutral.ts';
import { root } from './structure/tree.ts';

it('the schema of what is printed is the one of the code; else run `npm run format`', () => {
  expect(JSON.parse(readFileSync(outputSchemaFile, 'utf8'))).toEqual(makeOutputSchema());
});

const sample = (name: string): string => join(root, 'test/fixtures/transcripts', name);

/** An agent that says the same each time, and one that is done. */
const STUBBORN = [
  '--',
  'sh',
  '-c',
  'cat >/dev/null; echo "Fixed auth.ts - added null check"; echo "BLOCKED: no key"',
];
const DONE = ['--', 'sh', '-c', 'cat >/dev/null; echo WORK: wrote it; echo TASK_COMPLETE'];

describe('what commands print keeps to its schema', () => {
  const place = (): Place =>
    makePlace({
      'PROMPT.md': 'Get the test to pass.\n',
      'roadmap.yaml':
        'tasks:\n  - { id: a, prompt: Do it. }\n  - { id: b, prompt: Do more., dependsOn: a }\n',
      'looping.jsonl': lines(stuck()),
      'quiet.jsonl': lines(busy()),
      'strange.json': '{"name":"x"}',
      'unrut.config.json': '{"detectors":{"cycle":{"laps":4}},"shadwo":true}',
    });

  /** Each line that is printed, or all of it as one object. */
  async function faults(
    at: Place,
    command: keyof Printed,
    args: string[],
    isLines = false,
  ): Promise<string[]> {
    const { stdout, stderr } = await at.command(...args);
    expect(stdout, `${args.join(' ')}: ${stderr}`).not.toBe('');
    const values = isLines ? stdout.trim().split('\n') : [stdout];
    return values.flatMap((text) => schemaFaults(command, JSON.parse(text)));
  }

  it.each<[keyof Printed, string[], boolean?]>([
    [
      'scan',
      [
        'scan',
        '--json',
        '--max-loops',
        '1',
        '--max-wasted',
        '5%',
        '.',
        sample('claude-code.jsonl'),
        sample('codex-refusals.jsonl'),
        sample('opencode.json'),
      ],
    ],
    ['scan-compare', ['scan', '--compare', '--json', 'looping.jsonl', 'quiet.jsonl']],
    ['explain', ['explain', '--json', 'looping.jsonl']],
    ['explain', ['explain', '--json', 'quiet.jsonl']],
    ['explain-step', ['explain', '--json', '--step', '4', 'looping.jsonl']],
    [
      'explain-call',
      [
        'explain',
        '--json',
        '--call',
        'Bash {"command":"cd src && ls"}',
        '--call',
        'Read {"file_path":"a.ts"}',
      ],
    ],
    ['replay', ['show', '--json', 'looping.jsonl'], true],
    ['replay', ['show', '--json', sample('claude-code.jsonl')], true],
    ['replay', ['show', '--json', sample('browser-use.json')], true],
    ['config', ['config', '--json']],
    ['doctor', ['doctor', '--json']],
  ])('%s: %j', async (command, args, isLines) =>
    expect(await faults(place(), command, args, isLines)).toEqual([]),
  );

  it('scan --jsonl: a line for each run, then the end', async () => {
    const printed = (
      await place().command('scan', '--jsonl', 'looping.jsonl', 'quiet.jsonl')
    ).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(printed).toHaveLength(3);
    expect(printed.slice(0, -1).flatMap((run) => schemaFaults('scan-run', run))).toEqual([]);
    expect(schemaFaults('scan-end', printed.at(-1))).toEqual([]);
  });

  it('run, of a prompt and of a roadmap, and all that shows it afterwards', async () => {
    const at = place();
    const found = [
      ...(await faults(at, 'run', [
        'run',
        'PROMPT.md',
        '--json',
        '--max-iterations',
        '4',
        ...STUBBORN,
      ])),
      ...(await faults(at, 'run-status', ['run', 'status', '--json'])),
      ...(await faults(at, 'explain', ['explain', '--run', '--json'])),
      ...(await faults(at, 'run-roadmap', ['run', 'roadmap.yaml', '--json', ...STUBBORN])),
      ...(await faults(at, 'run-status', ['run', 'status', '--json'])),
      ...(await faults(at, 'run-roadmap', ['run', 'roadmap.yaml', '--json', ...DONE])),
      ...(await faults(at, 'sessions', ['show', '--list', '--json'])),
      ...(await faults(at, 'stats', ['stats', '--json'])),
      ...(await faults(at, 'stats-recoveries', ['stats', '--recoveries', '--json'])),
      ...(await faults(at, 'log', ['show', '--log', '--json'], true)),
    ];
    const { sessions } = JSON.parse(
      (await at.command('show', '--list', '--json')).stdout,
    ) as Printed['sessions'];
    expect(sessions.length).toBeGreaterThan(2);
    for (const { session } of sessions)
      found.push(...(await faults(at, 'show', ['show', '--json', session])));
    found.push(...(await faults(at, 'forget', ['ledger', 'forget', '--all', '--yes', '--json'])));
    expect(found).toEqual([]);
  });

  it('twin: output that does not match it is reported', () => {
    expect(schemaFaults('scan', { version: 2 })).not.toEqual([]);
    expect(schemaFaults('forget', { forgotten: [], more: 1 })).toEqual([
      expect.stringContaining('additional'),
    ]);
  });
});
