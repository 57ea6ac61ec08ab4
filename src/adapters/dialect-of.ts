import { isObject, type JsonObject, textOf } from '../json.ts';
import { claudeHooks } from './claude-code/read.ts';
import { clineHooks } from './cline/read.ts';
import { copilotHooks } from './copilot/read.ts';
import { crushHooks } from './crush/read.ts';
import { cursorHooks } from './cursor/read.ts';
import { geminiHooks } from './gemini-cli/read.ts';
import { opencodeHooks } from './opencode/read.ts';

/** The hosts whose hooks are understood, by the names of their folders. */
export type HookHostName =
  | 'claude-code'
  | 'cline'
  | 'codex'
  | 'copilot'
  | 'crush'
  | 'cursor'
  | 'gemini-cli'
  | 'kimi'
  | 'opencode'
  | 'qwen-code';

/** Variables that only one host sets for its hooks; Qwen Code, which sets those of Gemini CLI too, comes first. */
const VARIABLES: readonly (readonly [variable: string, host: HookHostName])[] = [
  ['CURSOR_VERSION', 'cursor'],
  ['QWEN_PROJECT_DIR', 'qwen-code'],
  ['GEMINI_PROJECT_DIR', 'gemini-cli'],
];

/** Folders in which hosts keep their transcripts. */
const FOLDERS: readonly (readonly [folder: RegExp, host: HookHostName])[] = [
  [/[\\/]\.claude[\\/]/, 'claude-code'],
  [/[\\/]\.codex[\\/]/, 'codex'],
  [/[\\/]\.gemini[\\/]/, 'gemini-cli'],
  [/[\\/]\.qwen[\\/]/, 'qwen-code'],
  [/[\\/]\.copilot[\\/]/, 'copilot'],
  [/[\\/]\.cursor[\\/]/, 'cursor'],
];

/**
 * Which host a payload comes from; nothing for what no known host gives its hooks. The payload decides as far as it can, since an agent
 * that was started inside another inherits its environment, and some run the hooks that were `said` to be another's.
 */
export function dialectOf(
  payload: unknown,
  environment: Readonly<Record<string, string | undefined>> = {},
  said?: HookHostName,
): HookHostName | undefined {
  if (!isObject(payload)) return undefined;
  const own = byForm(payload);
  if (own) return own;
  // From here on all speak like Claude Code.
  if (isUnknown(claudeHooks(payload))) return undefined;
  return byMarks(payload) ?? VARIABLES.find(([variable]) => environment[variable])?.[1] ?? said ?? byGaps(payload);
}

/** Events or fields that only one host has. */
function byForm(payload: JsonObject): HookHostName | undefined {
  if (payload.cursor_version !== undefined || !isUnknown(cursorHooks(payload))) return 'cursor';
  if (!isUnknown(clineHooks(payload))) return 'cline';
  if (!isUnknown(opencodeHooks(payload))) return 'opencode';
  if (!isUnknown(copilotHooks(payload))) return 'copilot';
  if (!isUnknown(geminiHooks(payload))) return 'gemini-cli';
  return payload.hook_event_name === undefined && !isUnknown(crushHooks(payload)) ? 'crush' : undefined;
}

const isUnknown = (read: { unknown?: string } | undefined): boolean => !read || read.unknown !== undefined;

function byMarks({ turn_id: turn, transcript_path: transcript, tool_result: result, tool_call_id, tool_use_id }: JsonObject) {
  if (typeof turn === 'string') return 'codex';
  const folder = FOLDERS.find(([pattern]) => pattern.test(textOf(transcript)))?.[1];
  if (folder) return folder;
  if (isObject(result) && 'text_result_for_llm' in result) return 'copilot';
  return tool_call_id !== undefined && tool_use_id === undefined ? 'kimi' : undefined;
}

/** Claude Code always names the transcript; Copilot tells the time instead, Kimi neither. */
function byGaps({ transcript_path: transcript, timestamp: at }: JsonObject): HookHostName {
  if (transcript !== undefined) return 'claude-code';
  return at === undefined ? 'kimi' : 'copilot';
}
