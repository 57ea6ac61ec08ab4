import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serverCommand } from '../mcp/install-servers.ts';
import type { Agent, Place } from './agents/agent.ts';
import { claudeCode } from './agents/claude-code.ts';
import { ALL_DAMAGES } from './damages.ts';
import { installProxy, installServer, installUnrut } from './install-unrut.ts';
import { NESTED } from './model/model.ts';
import { runAgent } from './run-agent.ts';
import { cycle, heedsAfter, insists, type ScriptOf } from './scripts.ts';
import { heard, type Insisting, shape, testAgent } from './test-agent.ts';

const INSISTING: Insisting = {
  heard: ['4 note', '5 hint', '6 block', '7 escalate', '8 block', '9 report'],
  tries: 6,
  last: 9,
  // It shows what the hook at the end says, and ends with 0 whatever a hook does.
  seen: /in this way:\nUnrut stopped the run: `sh check\.sh` failed \d times with the same error \(1 failed.*\((?:npx )?unrut show [\w-]+; wrong\? (?:npx )?unrut false-alarm\)$/,
  exitCode: 0,
  again: '5 block',
};

/**
 * A server does not see how the agent was started, so somebody is taken to be there: no report is
 * asked for.
 */
const BY_SERVER = {
  heard: INSISTING.heard.with(-1, '9 block'),
  tries: INSISTING.tries,
  last: INSISTING.last,
};

testAgent(claudeCode, INSISTING, ALL_DAMAGES);

it('Claude Code is warned when it alternates between two failing commands', async () => {
  const run = await runAgent(claudeCode, cycle, installUnrut(claudeCode));
  expect(heard(run)).toEqual(['6 note']);
  expect(run.tries).toHaveLength(5);
});

it('Claude Code is out of the loop when it heeds the first word', async () => {
  const run = await runAgent(claudeCode, heedsAfter(1), installUnrut(claudeCode));
  expect(heard(run)).toEqual(['4 note']);
  expect(run.exchanges.at(-1)?.news.join('\n')).toContain('3 passed');
  expect(run.exchanges.at(-1)?.reply.text).toBe('Done.');
});

/** Its last lines that are not empty, without what stands before them on standard error. */
const lastLine = (output: string): string => output.trim().split('\n').at(-1)!;

describe('a run of Claude Code that was stopped', () => {
  const printing = (format: string): Agent => ({
    ...claudeCode,
    args: (task) => [
      '-p',
      '--output-format',
      format,
      ...(format === 'stream-json' ? ['--verbose'] : []),
      task,
    ],
  });
  const WHY = /^Unrut stopped the run: `sh check\.sh` failed \d times with the same error/;

  it('says so in its last line, and why, with the output as text', async () => {
    const { output, exitCode } = await runAgent(claudeCode, insists, installUnrut(claudeCode));
    expect(lastLine(output)).toMatch(WHY);
    expect(exitCode).toBe(0);
  });

  it('is distinguished from a finished one by terminal_reason, with the output as JSON', async () => {
    const { output } = await runAgent(printing('json'), insists, installUnrut(claudeCode));
    const result = JSON.parse(output.split('\n').find((line) => line.startsWith('{'))!);
    expect(result).toMatchObject({ terminal_reason: 'hook_stopped', is_error: false, result: '' });
    expect(lastLine(output)).toMatch(WHY);
    const twin = await runAgent(printing('json'), heedsAfter(1), installUnrut(claudeCode));
    const done = JSON.parse(twin.output.split('\n').find((line) => line.startsWith('{'))!);
    expect(done).toMatchObject({ terminal_reason: 'completed', result: 'Done.' });
    expect(twin.output).not.toContain('Unrut stopped');
  });

  it('has a record that says why, with the output as a stream of JSON', async () => {
    const { output } = await runAgent(printing('stream-json'), insists, installUnrut(claudeCode));
    const records = output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    const said = records.filter(({ subtype }) => subtype === 'informational').at(-1);
    expect(said.content.replace(/^\S+ says: /, '')).toMatch(WHY);
    expect(records.at(-1)).toMatchObject({ type: 'result', terminal_reason: 'hook_stopped' });
  });
});

describe('a subagent of Claude Code that was stopped', () => {
  const delegates =
    (inBackground: boolean): ScriptOf =>
    ({ tools }) =>
    (turn, asked) => {
      if (asked.nested)
        return turn <= 12
          ? { text: 'The last line of sum.txt is empty.', calls: [tools.shell('sh lint.sh')] }
          : { text: 'I give up.' };
      const [agent] = tools.delegate(`Run the linter ${NESTED}.`);
      const args = { ...(agent!.args as object), run_in_background: inBackground };
      return turn === 1 ? { calls: [{ ...agent!, args }] } : { text: 'Done.' };
    };

  it.each([true, false])(
    'is reported to its parent with why and with its last words; in the background: %s',
    async (inBackground) => {
      const run = await runAgent(claudeCode, delegates(inBackground), installUnrut(claudeCode));
      const last = run.exchanges.at(-1)!;
      const read = last.news.join('\n');
      expect(read).toContain(
        'Unrut (loop guard) stopped your subagent before it had finished: `sh lint.sh` failed 5 times with the same error (sum.txt: the last line is empty).',
      );
      expect(read).toContain('The last line of sum.txt is empty.');
      // The run itself was not stopped.
      expect(run.output).toContain('Done.');
      expect(run.output).not.toContain('Unrut stopped the run');
    },
  );
});

describe('Claude Code with a budget', () => {
  /** Another file each time, so that nothing of it is a loop. */
  const works: ScriptOf =
    ({ tools }) =>
    (turn) =>
      turn <= 9
        ? { calls: [tools.shell(`echo chapter ${turn} of ${turn * 7}; date +%N`)] }
        : { text: 'All chapters are read.' };

  it('is warned at 80 %, asked for its report, and stopped', async () => {
    const run = await runAgent(claudeCode, works, installUnrut(claudeCode), {
      environment: { UNRUT_BUDGET_STEPS: '5' },
    });
    const all = run.exchanges.map(({ news }) => news.join('\n'));
    expect(all.findIndex((text) => text.includes('4 of 5 steps are used'))).toBe(4);
    expect(all.findIndex((text) => text.includes('is about to stop this run'))).toBe(5);
    expect(lastLine(run.output)).toMatch(
      /^Unrut stopped the run: the budget is spent: \d of 5 steps\. To go on, raise budget\.steps\./,
    );
  });

  it('reads nothing of it below 80 %', async () => {
    const run = await runAgent(claudeCode, works, installUnrut(claudeCode), {
      environment: { UNRUT_BUDGET_STEPS: '50' },
    });
    expect(heard(run)).toEqual([]);
    expect(run.output).toContain('All chapters are read.');
  });
});

describe('Claude Code with an MCP server behind the proxy', () => {
  const FILES = 'mcp__files__read_text_file';
  /** Its results have structured content, which is all that Claude Code shows its model. */
  const withFiles: Agent = {
    ...claudeCode,
    settings: (place) => ({
      ...claudeCode.settings(place),
      '.claude/settings.json': JSON.stringify({ permissions: { allow: [FILES] } }),
    }),
    args: (task) => ['-p', '--mcp-config', '.mcp.json', '--strict-mcp-config', '--', task],
  };
  const connected = async (place: Place): Promise<void> => {
    const [command, ...args] = await serverCommand('filesystem', place.project);
    writeFileSync(
      join(place.project, '.mcp.json'),
      JSON.stringify({ mcpServers: { files: { command, args } } }),
    );
    await installProxy(place, join(place.project, '.mcp.json'));
  };
  const reads =
    (paths: (turn: number) => string | undefined): ScriptOf =>
    (_, { project }) =>
    (turn) => {
      const path = paths(turn);
      return path === undefined
        ? { text: 'Done.' }
        : { calls: [{ name: FILES, args: { path: join(project, path) } }] };
    };

  it('reads the note next to a result', async () => {
    const run = await runAgent(
      withFiles,
      reads((turn) => (turn <= 3 ? 'sum.txt' : undefined)),
      connected,
    );
    expect(heard(run), run.output).toEqual(['4 note']);
  });

  it('twin: gets no note when it reads one file after the other', async () => {
    const run = await runAgent(
      withFiles,
      reads((turn) => ['sum.txt', 'check.sh', 'lint.sh', 'status.sh'][turn - 1]),
      connected,
    );
    expect(run.exchanges.at(-1)?.news.join()).toContain('deploy d-77');
    expect(heard(run)).toEqual([]);
  });
});

describe('Claude Code, calling a server', () => {
  it('is warned, hinted, blocked and stopped as by processes', async () => {
    const run = await runAgent(
      claudeCode,
      insists,
      async (place) => void (await installServer(claudeCode, place)),
    );
    expect({ heard: heard(run), tries: run.tries.length, last: run.exchanges.length }).toEqual(
      BY_SERVER,
    );
  });

  it('shows the server the token of its environment', async () => {
    const token = { UNRUT_TOKEN: 'correct-horse-battery' };
    const trusted: Agent = {
      ...claudeCode,
      environment: (place) => ({ ...claudeCode.environment(place), ...token }),
    };
    const run = await runAgent(
      trusted,
      insists,
      async (place) => void (await installServer(claudeCode, place, token)),
    );
    expect({ heard: heard(run), tries: run.tries.length, last: run.exchanges.length }).toEqual(
      BY_SERVER,
    );
  });

  it('runs as if Unrut were not there when the server has ended', async () => {
    const run = await runAgent(claudeCode, insists, async (place) =>
      (await installServer(claudeCode, place))(),
    );
    expect(shape(run)).toEqual(shape(await runAgent(claudeCode, insists)));
  });
});
