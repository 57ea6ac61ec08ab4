import { hosts } from '@unrut/agents/hosts';
import type { Host } from '@unrut/agents/hosts/define-host';
import type { Machine } from '@unrut/engine/machine';
import { describe, expect, it } from 'vitest';
import { usualPlaces } from './usual-places.ts';

const linux: Machine = { home: '/home/dev', variables: {}, platform: 'linux' };
const placesOf = (agent: string, machine: Machine): string[] =>
  usualPlaces(machine)
    .filter((place) => place.agent === agent)
    .map(({ path }) => path);

describe('the usual places', () => {
  const onLinux = [
    'Claude Code: /home/dev/.claude/projects',
    'Claude Code: /home/dev/.config/claude/projects',
    'Codex: /home/dev/.codex/sessions',
    'Codex: /home/dev/.codex/archived_sessions',
    'Gemini CLI: /home/dev/.gemini/tmp/*/chats',
    'OpenCode: /home/dev/.local/share/opencode/opencode*.db',
    'Cursor: /home/dev/.cursor/projects/*/agent-transcripts',
    'Cursor: /home/dev/.config/Cursor/User/globalStorage/state.vscdb',
    'GitHub Copilot CLI: /home/dev/.copilot/session-state/*/events.jsonl',
    'Qwen Code: /home/dev/.qwen/projects/*/chats',
    'Kimi: /home/dev/.kimi-code/sessions/**/wire.jsonl',
    'Kimi: /home/dev/.kimi/sessions/**/wire.jsonl',
    'Crush: .crush/crush.db',
    'Cline: /home/dev/.cline/data/sessions/*/*.messages.json',
    'Cline: /home/dev/.config/*/User/globalStorage/saoudrizwan.claude-dev/tasks/*/api_conversation_history.json',
    'goose: /home/dev/.local/share/goose/sessions',
    'pi: /home/dev/.pi/agent/sessions',
    'Roo Code: /home/dev/.config/*/User/globalStorage/rooveterinaryinc.roo-cline/tasks/*/api_conversation_history.json',
    'Kilo Code: /home/dev/.config/*/User/globalStorage/kilocode.kilo-code/tasks/*/api_conversation_history.json',
    'Continue: /home/dev/.continue/sessions/*-*.json',
    'Amp: /home/dev/.local/share/amp/threads',
    'Factory Droid: /home/dev/.factory/sessions/**/*.jsonl',
    'Zed: /home/dev/.local/share/zed/threads/threads.db',
  ];
  const labels = new Set(onLinux.map((line) => line.split(': ')[0]));

  it('of a Linux machine', () => {
    const places = usualPlaces(linux).filter(({ agent }) => labels.has(agent));
    expect(places.map(({ agent, path }) => `${agent}: ${path}`)).toEqual(onLinux);
  });

  it('are those of every host that says where its runs are', () => {
    const withRuns = hosts
      .filter(({ runs }: Host) => runs !== undefined)
      .map(({ label }) => label as string);
    expect(new Set(usualPlaces(linux).map(({ agent }) => agent))).toEqual(new Set(withRuns));
  });

  it.each<[agent: string, machine: Machine, paths: string[]]>([
    [
      'Roo Code',
      { home: '/Users/dev', variables: {}, platform: 'darwin' },
      [
        '/Users/dev/Library/Application Support/*/User/globalStorage/rooveterinaryinc.roo-cline/tasks/*/api_conversation_history.json',
      ],
    ],
    [
      'OpenCode',
      { home: '/Users/dev', variables: {}, platform: 'darwin' },
      ['/Users/dev/.local/share/opencode/opencode*.db'],
    ],
    [
      'goose',
      { home: '/Users/dev', variables: {}, platform: 'darwin' },
      ['/Users/dev/.local/share/goose/sessions'],
    ],
    [
      'Claude Code',
      { home: 'C:\\Users\\dev', variables: {}, platform: 'win32' },
      ['C:\\Users\\dev\\.claude\\projects', 'C:\\Users\\dev\\.config\\claude\\projects'],
    ],
    [
      'OpenCode',
      { home: 'C:\\Users\\dev', variables: {}, platform: 'win32' },
      ['C:\\Users\\dev\\.local\\share\\opencode\\opencode*.db'],
    ],
    [
      'goose',
      { home: 'C:\\Users\\dev', variables: {}, platform: 'win32' },
      ['C:\\Users\\dev\\AppData\\Roaming\\Block\\goose\\data\\sessions'],
    ],
    [
      'goose',
      { home: 'C:\\Users\\dev', variables: { APPDATA: 'D:\\data' }, platform: 'win32' },
      ['D:\\data\\Block\\goose\\data\\sessions'],
    ],
  ])('of %s follow the platform (%o)', (agent, machine, paths) => {
    expect(placesOf(agent, machine)).toEqual(paths);
  });

  it.each<[agent: string, variables: Record<string, string>, paths: string[]]>([
    ['Claude Code', { CLAUDE_CONFIG_DIR: '/c' }, ['/c/projects']],
    ['Codex', { CODEX_HOME: '/c' }, ['/c/sessions', '/c/archived_sessions']],
    ['Gemini CLI', { GEMINI_CLI_HOME: '/g' }, ['/g/.gemini/tmp/*/chats']],
    ['Qwen Code', { QWEN_HOME: '/q' }, ['/q/projects/*/chats']],
    ['Qwen Code', { QWEN_HOME: '/q', QWEN_RUNTIME_DIR: '/r' }, ['/r/projects/*/chats']],
    ['OpenCode', { XDG_DATA_HOME: '/d' }, ['/d/opencode/opencode*.db']],
    ['OpenCode', { OPENCODE_DB: 'mine.db' }, ['/home/dev/.local/share/opencode/mine.db']],
    ['OpenCode', { OPENCODE_DB: '/o/mine.db' }, ['/o/mine.db']],
    ['GitHub Copilot CLI', { COPILOT_HOME: '/c' }, ['/c/session-state/*/events.jsonl']],
    [
      'Cursor',
      { CURSOR_DATA_DIR: '/c' },
      [
        '/c/projects/*/agent-transcripts',
        '/home/dev/.config/Cursor/User/globalStorage/state.vscdb',
      ],
    ],
    ['pi', { PI_CODING_AGENT_DIR: '/p' }, ['/p/sessions']],
    ['pi', { PI_CODING_AGENT_DIR: '/p', PI_CODING_AGENT_SESSION_DIR: '/s' }, ['/s']],
    ['goose', { GOOSE_PATH_ROOT: '/g' }, ['/g/data/sessions']],
    ['goose', { GOOSE_PATH_ROOT: 'relative' }, ['/home/dev/.local/share/goose/sessions']],
    [
      'Roo Code',
      { XDG_CONFIG_HOME: '/x' },
      ['/x/*/User/globalStorage/rooveterinaryinc.roo-cline/tasks/*/api_conversation_history.json'],
    ],
    [
      'Codex',
      { CODEX_HOME: ' ' },
      ['/home/dev/.codex/sessions', '/home/dev/.codex/archived_sessions'],
    ],
  ])('of %s are moved by %o', (agent, variables, paths) => {
    expect(placesOf(agent, { ...linux, variables })).toEqual(paths);
  });

  it.each<[Record<string, string>, string]>([
    [{ CLINE_DIR: '/c' }, '/c/data/sessions/*/*.messages.json'],
    [{ CLINE_DIR: '/c', CLINE_DATA_DIR: '/d' }, '/d/sessions/*/*.messages.json'],
    [{ CLINE_SESSION_DATA_DIR: '/s' }, '/s/*/*.messages.json'],
  ])('of the command line of Cline are moved by %o', (variables, path) => {
    expect(placesOf('Cline', { ...linux, variables })[0]).toBe(path);
  });
});
