import type { JsonObject } from '../../json.ts';
import type { InstallableAgent, Order } from '../agent.ts';
import { guardedCommand, hookArguments, ownCommand } from '../hook-command.ts';
import { hookSettings } from '../hook-settings.ts';
import { httpHandler } from '../http-handler.ts';
import { launcherEdits } from '../launcher.ts';
import { agentFolders, joinOn } from './agent-folders.ts';

/** Around tool calls, where handlers can be for some tools only. */
const MATCHED = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionDenied'];
/** All events that the adapter reads; the plugin has the same. */
export const CLAUDE_CODE_EVENTS: readonly string[] = [
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'PermissionDenied', 'UserPromptSubmit', 'PreCompact'],
  ...['PostCompact', 'SessionStart', 'Stop', 'SubagentStop', 'SessionEnd'],
];
/** Versions before these refuse the whole file for an event that they do not know; tried with 2.0.20, 2.0.64, 2.1.90 and 2.1.110. */
const SINCE: Readonly<Record<string, string>> = {
  PostToolUseFailure: '2.0.64',
  PostToolBatch: '2.1.110',
  PermissionDenied: '2.1.110',
  PostCompact: '2.1.110',
};

/** Seconds. The hook itself gives up after two. */
const TIMEOUT = 10;

export const claudeCode: InstallableAgent = {
  name: 'claude-code',
  label: 'Claude Code',
  programs: ['claude'],
  isVersioned: true,
  folders: (at) => [agentFolders(at).claude],
  edits(order) {
    const { scope, at, call, version } = order;
    const join = joinOn(at);
    const folder = scope === 'user' ? agentFolders(at).claude : join(at.project, '.claude');
    const events = CLAUDE_CODE_EVENTS.filter((event) => version === undefined || !isBefore(version, SINCE[event] ?? '0'));
    return [claudeLikeSettings(join(folder, 'settings.json'), events, handlerFor(order)), ...launcherEdits(order, call)];
  },
  instructions: (scope, at) => joinOn(at)(scope === 'user' ? agentFolders(at).claude : at.project, 'CLAUDE.md'),
  http: true,
  pluginIn(at, read) {
    const file = joinOn(at)(agentFolders(at).claude, 'settings.json');
    return /"unrut@[^"]*"\s*:\s*true/.test(read(file) ?? '') ? file : undefined;
  },
  obstacles: ({ scope, at }, read) => {
    const join = joinOn(at);
    const file = join(scope === 'user' ? agentFolders(at).claude : join(at.project, '.claude'), 'settings.json');
    return /"disableAllHooks"\s*:\s*true/.test(read(file) ?? '') ? [`${file} has "disableAllHooks": true. Take it out.`] : [];
  },
};

/** The settings of a host that keeps its hooks as Claude Code does. */
export const claudeLikeSettings = (path: string, events: readonly string[], handler: JsonObject) =>
  hookSettings({ path, handlers: Object.fromEntries(events.map((event) => [event, handler])), matched: MATCHED });

/**
 * A line for a shell, since Cursor and Copilot run what is in this file too, and may not know `args`: then Node would be started alone, and
 * Copilot would take its complaint for a refusal. On Windows, where it is not known which shell there is, the words are given one by one.
 */
function handlerFor({ scope, at, call }: Order): JsonObject {
  if (call.server !== undefined) return httpHandler('claude-code', call);
  if (scope === 'project') return commandHandler(guardedCommand('claude-code', call, '$' + '{CLAUDE_PROJECT_DIR:-.}'));
  if (at.platform === 'win32') return { ...commandHandler(call.node), args: [call.hook, ...hookArguments('claude-code', call)] };
  return commandHandler(ownCommand('claude-code', call, 'posix'));
}

/** Whether a version is older than another, both as numbers with dots. */
function isBefore(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) < 0;
}

const commandHandler = (command: string): JsonObject => ({ type: 'command', command, timeout: TIMEOUT });
