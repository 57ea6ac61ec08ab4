import type { JsonObject } from '../../json.ts';
import { guardedCommand, hookArguments, ownCommand } from '../../settings-files/hook-command.ts';
import { hookSettings } from '../../settings-files/hook-settings.ts';
import { httpHandler } from '../../settings-files/http-handler.ts';
import type { Edit, Order } from '../../settings-files/order.ts';
import { joinOn, settingsFolder, settingsPath } from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

/** Around tool calls, where handlers can be for some tools only. */
const MATCHED = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionDenied'];
/** All events that the adapter reads; the plugin has the same. */
const CLAUDE_CODE_EVENTS: readonly string[] = [
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

export const claudeCodeInstall: HostInstall = {
  folder: (at) => settingsFolder(at, 'CLAUDE_CONFIG_DIR', '.claude'),
  isVersioned: true,
  edits(order) {
    const { version } = order;
    const events = CLAUDE_CODE_EVENTS.filter((event) => version === undefined || !isBefore(version, SINCE[event] ?? '0'));
    return [claudeLikeSettings(settingsOf(order), events, handlerFor(order))];
  },
  instructions: { user: 'CLAUDE.md', project: 'CLAUDE.md' },
  http: true,
  pluginIn(at, read) {
    const file = joinOn(at)(claudeCodeInstall.folder(at), 'settings.json');
    return /"unrut@[^"]*"\s*:\s*true/.test(read(file) ?? '') ? file : undefined;
  },
  obstacles: (order, read) => whyDisabled(settingsOf(order), read),
};

const settingsOf = (order: Order): string => settingsPath(order, claudeCodeInstall.folder, '.claude', 'settings.json');

/** The settings of a host that keeps its hooks as Claude Code does. */
export const claudeLikeSettings = (path: string, events: readonly string[], handler: JsonObject): Edit =>
  hookSettings({ path, events, handler, matched: MATCHED });

/** Such settings may switch off all hooks. */
export const whyDisabled = (file: string, read: (path: string) => string | undefined): string[] =>
  /"disableAllHooks"\s*:\s*true/.test(read(file) ?? '') ? [`${file} has "disableAllHooks": true. Remove it.`] : [];

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
