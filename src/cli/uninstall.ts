import { existsSync } from 'node:fs';
import type { Order } from '../install/agent.ts';
import { AGENTS } from '../install/agents/index.ts';
import { backupOf } from '../install/change-file.ts';
import { disconnect, isConnected } from '../install/connect.ts';
import { whyOf } from '../redact/reason.ts';
import { printable } from '../text/printable.ts';
import { readArguments } from './arguments.ts';
import { agentsNamed, here, scopeOf } from './chosen-agents.ts';
import { EXIT, usageError } from './exit.ts';
import { uninstallMcp } from './install-mcp.ts';

const HELP = `unrut uninstall [options] <agent…>

Takes out of an agent's settings what unrut install has put there. A file that nobody else has changed since becomes what it was, to
the byte; from others only our part goes. What was recorded stays: unrut forget --all removes it.

Agents: ${AGENTS.map(({ name }) => name).join(', ')}

Options
  --user       from your own settings (default)
  --project    from the settings of the project in this folder
  --all        from those of all agents that are connected
  --mcp FILE   from the servers in a config of an MCP client
  --dry-run    say which files would be changed, and change none
  --help

Exit codes: 0 done, or there was nothing to do; 2 a file could not be read or written; 64 wrong usage.`;

const OPTIONS = {
  user: { type: 'boolean', default: false },
  project: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  mcp: { type: 'string', multiple: true, default: [] as string[] },
  'dry-run': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** `unrut uninstall`. Returns the exit code. */
export async function uninstall(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments('uninstall', args, OPTIONS);
  if (values.help) {
    console.log(HELP);
    return EXIT.ok;
  }
  if (values.mcp.length > 0 && positionals.length === 0) return uninstallMcp(values.mcp, values['dry-run']);
  const scope = scopeOf(values);
  // To take our part out it does not matter how it calls the hook.
  const order: Order = { scope, at: here(), call: { node: 'node', hook: 'hook.cjs', plugin: '', shadow: false } };
  const agents = values.all ? AGENTS.filter((agent) => isConnected(agent, order)) : agentsNamed(positionals);
  if (agents.length === 0 && !values.all) throw usageError('uninstall takes the names of agents, or --all. See unrut uninstall --help.');
  if (agents.length === 0) console.log('No agent is connected.');
  let failed = false;
  for (const agent of agents) {
    try {
      const changes = disconnect(agent, order, values['dry-run']);
      if (changes.length === 0)
        console.log(`${agent.label} is not connected ${scope === 'project' ? 'in this project' : 'in your settings'}.`);
      else console.log(`${agent.label} ${values['dry-run'] ? 'would be' : 'is'} disconnected:`);
      for (const { path, after } of changes) {
        console.log(printable(`  ${path} ${after === undefined ? 'is removed' : 'is changed'}`));
        if (!values['dry-run'] && existsSync(backupOf(path)))
          console.log(printable(`  ${backupOf(path)} stays: the file as it was before unrut install. Others have changed it since.`));
      }
    } catch (error) {
      failed = true;
      console.error(printable(`${agent.label}: ${whyOf(error)}`));
    }
  }
  return failed ? EXIT.unreadable : EXIT.ok;
}
