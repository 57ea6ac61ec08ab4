import {
  guardedCommand,
  ownCommand,
  plainCommand,
  projectCommand,
} from '../../settings-files/hook-command.ts';
import type { Edit, Order } from '../../settings-files/order.ts';
import { ownFile } from '../../settings-files/own-file.ts';
import { joinOn, settingsFolder } from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

/** Each is a file of that name. */
const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'PreCompact',
  'TaskComplete',
  'TaskCancel',
];

export const clineInstall: HostInstall = {
  folder: (at) => settingsFolder(at, 'CLINE_DIR', '.cline'),
  edits: (order) => EVENTS.map((event) => hookFile(event, order)),
  instructions: { project: 'AGENTS.md' },
  afterwards: 'In the extension, check that hooks are enabled in its settings.',
};

/** In folders that the extension, the command line and the SDK all read. */
function hookFile(event: string, { scope, at, call }: Order): Edit {
  const join = joinOn(at);
  const folder =
    scope === 'user'
      ? join(at.home, 'Documents', 'Cline', 'Hooks')
      : join(at.project, '.clinerules', 'hooks');
  if (at.platform === 'win32') {
    const command =
      scope === 'user' ? plainCommand('cline', call, 'powershell') : projectCommand('cline', call);
    return ownFile(
      join(folder, `${event}.ps1`),
      `# Written by \`unrut install\`.\r\n$input | ${command}\r\nexit 0\r\n`,
    );
  }
  const command =
    scope === 'user' ? ownCommand('cline', call, 'posix') : guardedCommand('cline', call);
  return ownFile(
    join(folder, event),
    `#!/bin/sh\n# Written by \`unrut install\`; \`unrut uninstall cline\` removes it.\n${command}\n`,
    {
      mode: 0o755,
    },
  );
}
