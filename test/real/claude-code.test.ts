import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serverCommand } from '../mcp/install-servers.ts';
import type { Agent, Place } from './agents/agent.ts';
import { claudeCode } from './agents/claude-code.ts';
import { ALL_DAMAGES } from './damages.ts';
import { installProxy, installServer, installUnrut } from './install-unrut.ts';
import { runAgent } from './run-agent.ts';
import { cycle, heedsAfter, insists, type ScriptOf } from './scripts.ts';
import { heard, type Insisting, shape, testAgent } from './test-agent.ts';

const INSISTING: Insisting = {
  heard: ['4 note', '5 hint', '6 block', '7 escalate', '8 block', '9 report'],
  tries: 6,
  last: 9,
  // It shows what the hook at the end says, and ends with 0 whatever a hook does.
  seen: /failed: Unrut stopped the run: `sh check\.sh` failed \d times with the same error \(1 failed.*\(unrut show \w+; wrong\? unrut false-alarm\)$/,
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

it('Claude Code is told when it goes to and fro between two failing commands', async () => {
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

describe('Claude Code with an MCP server behind the proxy (M2)', () => {
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

  it('hears the note that stands beside a result', async () => {
    const run = await runAgent(
      withFiles,
      reads((turn) => (turn <= 3 ? 'sum.txt' : undefined)),
      connected,
    );
    expect(heard(run), run.output).toEqual(['4 note']);
  });

  it('twin: hears nothing when it reads one file after the other', async () => {
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
  it('is told, helped, refused and stopped as by processes', async () => {
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
