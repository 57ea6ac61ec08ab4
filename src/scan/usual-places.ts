import { posix, win32 } from 'node:path';
import type { Machine } from '../machine.ts';

/** Where an agent keeps its runs. */
export interface Place {
  /** Its name, for people. */
  agent: string;
  /** A folder, a file or a glob; it need not exist. */
  path: string;
}

/** Extensions of VS Code and of the editors made from it that keep a folder for each task. */
const EXTENSIONS = [
  ['Cline', 'saoudrizwan.claude-dev'],
  ['Roo Code', 'rooveterinaryinc.roo-cline'],
  ['Kilo Code', 'kilocode.kilo-code'],
] as const;

/** Where the agents that can be read keep their runs, by their own variables and by the platform's conventions. */
export function usualPlaces({ home, variables, platform }: Machine): Place[] {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  /** What a variable names, if it is set. */
  const named = (variable: string): string | undefined => variables[variable]?.trim() || undefined;
  const roaming = named('APPDATA') ?? join(home, 'AppData', 'Roaming');
  const config = named('XDG_CONFIG_HOME') ?? join(home, '.config');
  const data = named('XDG_DATA_HOME') ?? join(home, '.local', 'share');

  const claude = named('CLAUDE_CONFIG_DIR');
  const codex = named('CODEX_HOME') ?? join(home, '.codex');
  const gemini = join(named('GEMINI_CLI_HOME') ?? home, '.gemini');
  const qwen = named('QWEN_RUNTIME_DIR') ?? named('QWEN_HOME') ?? join(home, '.qwen');
  const copilot = named('COPILOT_HOME') ?? join(home, '.copilot');
  const cursor = named('CURSOR_DATA_DIR') ?? join(home, '.cursor');
  const pi = named('PI_CODING_AGENT_SESSION_DIR') ?? join(named('PI_CODING_AGENT_DIR') ?? join(home, '.pi', 'agent'), 'sessions');
  const cline =
    named('CLINE_SESSION_DATA_DIR') ??
    join(named('CLINE_DATA_DIR') ?? join(named('CLINE_DIR') ?? join(home, '.cline'), 'data'), 'sessions');
  // OpenCode keeps to these folders on Windows and macOS too.
  const opencode = join(data, 'opencode');
  const opencodeDatabase = named('OPENCODE_DB') ?? 'opencode*.db';
  const gooseRoot = named('GOOSE_PATH_ROOT');
  const goose =
    gooseRoot !== undefined && isAbsolute(gooseRoot)
      ? join(gooseRoot, 'data', 'sessions')
      : platform === 'win32'
        ? join(roaming, 'Block', 'goose', 'data', 'sessions')
        : join(data, 'goose', 'sessions');
  const editors = platform === 'win32' ? roaming : platform === 'darwin' ? join(home, 'Library', 'Application Support') : config;

  return [
    ...(claude === undefined ? [join(home, '.claude'), join(config, 'claude')] : [claude]).map((folder) => ({
      agent: 'Claude Code',
      path: join(folder, 'projects'),
    })),
    { agent: 'Codex', path: join(codex, 'sessions') },
    { agent: 'Codex', path: join(codex, 'archived_sessions') },
    { agent: 'Gemini CLI', path: join(gemini, 'tmp', '*', 'chats') },
    { agent: 'Qwen Code', path: join(qwen, 'projects', '*', 'chats') },
    { agent: 'OpenCode', path: isAbsolute(opencodeDatabase) ? opencodeDatabase : join(opencode, opencodeDatabase) },
    { agent: 'Copilot CLI', path: join(copilot, 'session-state', '*', 'events.jsonl') },
    { agent: 'Cursor', path: join(cursor, 'projects', '*', 'agent-transcripts') },
    { agent: 'pi', path: pi },
    { agent: 'goose', path: goose },
    { agent: 'Cline', path: join(cline, '*', '*.messages.json') },
    ...EXTENSIONS.map(([agent, extension]) => ({
      agent,
      path: join(editors, '*', 'User', 'globalStorage', extension, 'tasks', '*', 'api_conversation_history.json'),
    })),
  ];
}
