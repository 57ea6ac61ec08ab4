import type { Edit, InstallableAgent, Order } from '../agent.ts';
import { guardedCommand, ownCommand, projectCommand } from '../hook-command.ts';
import { launcherEdits } from '../launcher.ts';
import { ownFile } from '../own-file.ts';
import { agentFolders, joinOn } from './agent-folders.ts';

/** Each is a file of that name. */
const EVENTS = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'PreCompact', 'TaskComplete', 'TaskCancel'];

export const cline: InstallableAgent = {
  name: 'cline',
  label: 'Cline',
  programs: ['cline'],
  folders: (at) => [agentFolders(at).cline, joinOn(at)(at.home, 'Documents', 'Cline')],
  edits: (order) => [...EVENTS.map((event) => hookFile(event, order)), ...launcherEdits(order, order.call)],
  instructions: (scope, at) => (scope === 'user' ? undefined : joinOn(at)(at.project, 'AGENTS.md')),
  http: 'Cline has no HTTP hooks',
  afterwards: 'In the extension, see that hooks are switched on in its settings.',
};

/** In folders that the extension, the command line and the SDK all look into. */
function hookFile(event: string, { scope, at, call }: Order): Edit {
  const join = joinOn(at);
  const folder = scope === 'user' ? join(at.home, 'Documents', 'Cline', 'Hooks') : join(at.project, '.clinerules', 'hooks');
  if (at.platform === 'win32') {
    const command = scope === 'user' ? ownCommand('cline', call, 'powershell') : projectCommand('cline', call);
    return ownFile(join(folder, `${event}.ps1`), `# Written by \`unrut install\`.\r\n$input | ${command}\r\nexit 0\r\n`);
  }
  const command = scope === 'user' ? ownCommand('cline', call, 'posix') : guardedCommand('cline', call);
  return ownFile(
    join(folder, event),
    `#!/bin/sh\n# Written by \`unrut install\`; \`unrut uninstall cline\` removes it.\n${command}\n`,
    0o755,
  );
}
