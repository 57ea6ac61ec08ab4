import { existsSync, rmSync } from 'node:fs';
import { dropWelcome } from '@unrut/agents/hook/welcome';
import { installableHosts } from '@unrut/agents/hosts';
import { disconnect, isConnected } from '@unrut/agents/install/connect';
import { commandWord, keptFiles } from '@unrut/agents/install/hook-files';
import { backupOf } from '@unrut/agents/settings-files/change-file';
import { NO_CALL, type Order } from '@unrut/agents/settings-files/order';
import { errorReason } from '@unrut/engine/redact/reason';
import { printable } from '@unrut/engine/text/printable';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { flagOption, optionLines, textsOption } from './arguments.ts';
import { agentsNamed, here, scopeOf } from './chosen-agents.ts';
import { defineCommand } from './command.ts';
import { EXIT, usageError } from './exit.ts';
import { uninstallMcp } from './install-mcp.ts';

const OPTIONS = {
  user: flagOption('remove from your user settings (default)'),
  project: flagOption('remove from the settings of the repository that this folder is in'),
  all: flagOption('disconnect all connected agents'),
  mcp: textsOption('FILE', 'unwrap the servers in the config of an MCP client'),
  'dry-run': flagOption('show which files would change, without changing them'),
} as const;

const HELP = `unrut uninstall [options] <agent…>

Remove what unrut install added to an agent's settings. A file that has not changed since is restored byte for byte; from any other file
only Unrut's part is removed. Recorded data stays: unrut ledger forget --all deletes it.

Agents: ${installableHosts.map(({ name }) => name).join(', ')}

${optionLines(OPTIONS)}

Exit codes: 0 done or nothing to do, 2 a file could not be read or written, 64 usage error.`;

/** `unrut uninstall`. */
export const uninstall = defineCommand(
  { name: 'uninstall', help: HELP, options: OPTIONS },
  async ({ values, operands }) => {
    if (values.mcp.length > 0 && operands.length === 0)
      return uninstallMcp(values.mcp, values['dry-run']);
    const scope = scopeOf(values);
    // To take our part out it does not matter how it calls the hook.
    const order: Order = {
      scope,
      at: here(),
      call: { ...NO_CALL, files: { hook: '', program: '', postgres: '', plugin: '' } },
    };
    const agents = values.all
      ? installableHosts.filter((agent) => isConnected(agent, order))
      : agentsNamed(operands, order.at);
    if (agents.length === 0 && !values.all)
      throw usageError('uninstall takes agent names, or --all. See unrut uninstall --help.');
    if (agents.length === 0) console.log('No agent is connected.');
    let [failed, isChanged] = [false, false];
    for (const agent of agents) {
      try {
        const changes = disconnect(agent, order, values['dry-run']);
        isChanged ||= changes.length > 0;
        if (!values['dry-run']) dropWelcome(loadSettings().settings.ledger.path, agent.name);
        if (changes.length === 0)
          console.log(
            `${agent.label} is not connected ${scope === 'project' ? 'in this project' : 'in your user settings'}.`,
          );
        else console.log(`${agent.label} ${values['dry-run'] ? 'would be' : 'is'} disconnected:`);
        for (const { path, after, isRestored } of changes) {
          const verb = values['dry-run'] ? 'would be' : 'is';
          const what = after === undefined ? 'removed' : isRestored ? 'restored' : 'changed';
          console.log(printable(`  ${path} ${verb} ${what}`));
          if (!values['dry-run'] && existsSync(backupOf(path)))
            console.log(
              printable(
                `  ${backupOf(path)} is kept: a backup from before unrut install. The file has changed since.`,
              ),
            );
        }
      } catch (error) {
        failed = true;
        console.error(printable(`${agent.label}: ${errorReason(error)}`));
      }
    }
    if (
      !values['dry-run'] &&
      !installableHosts.some((agent) => isConnected(agent, { ...order, scope: 'user' }))
    ) {
      for (const file of Object.values(keptFiles(order.at))) rmSync(file, { force: true });
      if (isChanged)
        console.log(
          `What was recorded is kept. To delete it: ${commandWord(order.at)} ledger forget --all`,
        );
    }
    return failed ? EXIT.unreadable : EXIT.ok;
  },
);
