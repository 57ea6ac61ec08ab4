import { type JsonObject, objectOf } from '@unrut/engine/json';
import { insertInto, readJson, removeAt, replaceAt } from '../../settings-files/edit-json.ts';
import { guardedCommand, hookArguments, ownCommand } from '../../settings-files/hook-command.ts';
import { hookSettings } from '../../settings-files/hook-settings.ts';
import { httpHandler } from '../../settings-files/http-handler.ts';
import { type Edit, type Order, obstacleIn } from '../../settings-files/order.ts';
import { isOurHandler } from '../../settings-files/our-handler.ts';
import { ownFile } from '../../settings-files/own-file.ts';
import { joinOn, settingsFolder, settingsPath } from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

/** Events around tool calls, whose handlers can be limited to some tools. */
export const MATCHED: readonly string[] = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionDenied',
];
/** All events that the adapter reads; the plugin subscribes to the same. */
const CLAUDE_CODE_EVENTS: readonly string[] = [
  ...[
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'PermissionDenied',
    'UserPromptSubmit',
    'PreCompact',
  ],
  ...['PostCompact', 'SessionStart', 'Stop', 'SubagentStop', 'SessionEnd'],
];
/**
 * Earlier versions reject the whole settings file if it has an unknown event. Tested with 2.0.20,
 * 2.0.64, 2.1.90 and 2.1.110.
 */
const SINCE: Readonly<Record<string, string>> = {
  PostToolUseFailure: '2.0.64',
  PostToolBatch: '2.1.110',
  PermissionDenied: '2.1.110',
  PostCompact: '2.1.110',
};

/** Claude Code's variable for the project's folder. */
const PROJECT_FOLDER = '$' + '{CLAUDE_PROJECT_DIR:-.}';

/** Seconds. The hook has its own timeout of two. */
const TIMEOUT = 10;

export const claudeCodeInstall: HostInstall = {
  folder: (at) => settingsFolder(at, 'CLAUDE_CONFIG_DIR', '.claude'),
  isVersioned: true,
  edits(order) {
    const { version, call } = order;
    if (call.statusLine === 'only')
      return [withStatusLine(nothingIn(settingsOf(order)), statusLineFor(order))];
    const events = CLAUDE_CODE_EVENTS.filter(
      (event) => version === undefined || !isBefore(version, SINCE[event] ?? '0'),
    );
    const hooks = claudeLikeSettings(settingsOf(order), events, handlerFor(order));
    return [
      withStatusLine(hooks, call.statusLine ? statusLineFor(order) : undefined),
      slashCommand(order),
    ];
  },
  instructions: { user: 'CLAUDE.md', project: 'CLAUDE.md' },
  http: true,
  hasStatusLine: true,
  pluginIn(at, read) {
    const file = joinOn(at)(claudeCodeInstall.folder(at), 'settings.json');
    return /"unrut@[^"]*"\s*:\s*true/.test(read(file) ?? '') ? file : undefined;
  },
  obstacles: (order, read) => whyDisabled(settingsOf(order), read),
};

const nothingIn = (path: string): Edit => ({
  path,
  add: (text) => text ?? '{}\n',
  remove: (text) => text,
});

/** Adds our status line to the same file, unless there is another one. */
const withStatusLine = (edit: Edit, line: JsonObject | undefined): Edit => ({
  ...edit,
  add(text) {
    const added = edit.add(text);
    const there = statusLineIn(added, edit.path);
    if (line === undefined || (there !== undefined && !isOurHandler(there))) return added;
    return there === undefined
      ? insertInto(added, [], line, 'statusLine')
      : replaceAt(added, ['statusLine'], line);
  },
  remove(text) {
    const isOurs = isOurHandler(statusLineIn(text, edit.path));
    return edit.remove(isOurs ? removeAt(text, ['statusLine']) : text);
  },
});

function statusLineIn(text: string, path: string): unknown {
  const settings = text.trim() === '' ? {} : readJson(text, path);
  return objectOf(settings).statusLine;
}

const statusLineFor = ({ scope, call }: Order): JsonObject => {
  const command =
    scope === 'project'
      ? guardedCommand('claude-code', call, PROJECT_FOLDER)
      : ownCommand('claude-code', call, 'posix');
  return { type: 'command', command: `${command} --statusline` };
};

/** The `/unrut` command, which the hook answers before the model sees it. */
const slashCommand = (order: Order): Edit =>
  ownFile(
    settingsPath(order, claudeCodeInstall.folder, '.claude', 'commands', 'unrut.md'),
    SLASH_COMMAND,
  );

/** The plugin has the same. */
const SLASH_COMMAND = `---
# Written by \`unrut install claude-code\`; \`unrut uninstall claude-code\` removes it.
description: "Unrut (loop guard): how it stands, switch it off and on, why it spoke, or call it a false alarm"
argument-hint: "status | off [1h] | on | why | false-alarm [tool | project]"
disable-model-invocation: true
---

The user typed a command for Unrut (loop guard): \`/unrut $ARGUMENTS\`. Its hook answers such commands by itself, so if you read this, the hook is
not connected. Do nothing but say so: \`unrut doctor\` in a terminal says what is missing.
`;

const settingsOf = (order: Order): string =>
  settingsPath(order, claudeCodeInstall.folder, '.claude', 'settings.json');

/** The settings of a host with Claude Code's hook format. */
export const claudeLikeSettings = (
  path: string,
  events: readonly string[],
  handler: JsonObject,
): Edit => hookSettings({ path, events, handler, matched: MATCHED });

/** Explains if these settings disable all hooks. */
export const whyDisabled = (file: string, read: (path: string) => string | undefined): string[] =>
  obstacleIn(file, read, /"disableAllHooks"\s*:\s*true/, '"disableAllHooks": true');

/**
 * A shell command line: Cursor and Copilot also run the hooks in this file and may ignore `args`;
 * they would start Node alone, and Copilot would treat its error as a block. On Windows the shell
 * is unknown, so the words are passed separately.
 */
function handlerFor({ scope, at, call }: Order): JsonObject {
  if (call.server !== undefined) return httpHandler('claude-code', call);
  if (scope === 'project')
    return commandHandler(guardedCommand('claude-code', call, PROJECT_FOLDER));
  if (at.platform === 'win32')
    return {
      ...commandHandler(call.node),
      args: [call.hook, ...hookArguments('claude-code', call)],
    };
  return commandHandler(ownCommand('claude-code', call, 'posix'));
}

/** Compares dotted version numbers. */
function isBefore(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) < 0;
}

const commandHandler = (command: string): JsonObject => ({
  type: 'command',
  command,
  timeout: TIMEOUT,
});
