import { type InstallableHost, installableHosts } from '../hosts/index.ts';
import { connect, instructionsOf, isConnected, whyCountedTwice } from '../install/connect.ts';
import { isFound, versionOf } from '../install/found-agents.ts';
import { hookFiles } from '../install/hook-files.ts';
import { RULES } from '../install/rules.ts';
import { errorReason } from '../redact/reason.ts';
import type { FileChange } from '../settings-files/change.ts';
import { backupOf } from '../settings-files/change-file.ts';
import { DEFAULT_SERVER } from '../settings-files/hook-address.ts';
import { TOKEN_VARIABLE } from '../settings-files/http-handler.ts';
import type { Order, Surroundings } from '../settings-files/order.ts';
import { printable } from '../text/printable.ts';
import { readArguments } from './arguments.ts';
import { agentsNamed, here, scopeOf } from './chosen-agents.ts';
import { EXIT, usageError } from './exit.ts';
import { installMcp } from './install-mcp.ts';

const HELP = `unrut install [options] <agent…>

Connect coding agents: Unrut warns an agent when it loops, blocks the call if it keeps going, and shows you why. The agent's settings are
edited in place and keep everything else; unrut uninstall reverts the change. Without an agent, list those found on this machine.

Agents: ${installableHosts.map(({ name }) => name).join(', ')}

Options
  --user         install in your user settings, for all projects (default)
  --project      install in the settings of the project in this folder, for everyone who works on it
  --http [URL]   call a running unrut serve instead of starting a process each time (default ${DEFAULT_SERVER})
  --shadow       record only; never act
  --rules        also add rules for handling Unrut's notes to the agent's instructions file
  --mcp FILE     wrap the servers in the config of any MCP client (.mcp.json, claude_desktop_config.json, config.toml, …)
  --dry-run      show which files would change, without changing them
  --help

Exit codes: 0 connected, 2 a file could not be read or written, 64 usage error.`;

const OPTIONS = {
  user: { type: 'boolean', default: false },
  project: { type: 'boolean', default: false },
  http: { type: 'boolean', default: false },
  shadow: { type: 'boolean', default: false },
  rules: { type: 'boolean', default: false },
  mcp: { type: 'string', multiple: true, default: [] as string[] },
  'dry-run': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** `unrut install`. Returns the exit code. */
export async function install(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments('install', args, OPTIONS);
  if (values.help) {
    console.log(HELP);
    return EXIT.ok;
  }
  if (values.mcp.length > 0 && positionals.length === 0)
    return installMcp(values.mcp, { shadow: values.shadow, dryRun: values['dry-run'] });
  const addresses = positionals.filter((word) => /^https?:\/\//.test(word));
  if (addresses.length > (values.http ? 1 : 0)) throw usageError(`An address needs --http, which takes one; got ${addresses.join(' ')}.`);
  const agents = agentsNamed(positionals.filter((word) => !addresses.includes(word)));
  const scope = scopeOf(values);
  for (const {
    label,
    install: { http, userOnly },
  } of agents) {
    if (values.http && http !== true) throw usageError(`${http ?? `${label} has no HTTP hooks`}. Install ${label} without --http.`);
    if (scope === 'project' && userOnly) throw usageError(`${label} has no project settings. Install it without --project.`);
  }
  const at = here();
  if (agents.length === 0) return list(at);

  const { copies, ...files } = hookFiles(at);
  const server = values.http ? (addresses[0] ?? DEFAULT_SERVER) : undefined;
  const order: Order = { scope, at, call: { ...files, server, shadow: values.shadow } };
  const dryRun = values['dry-run'];
  const connected: InstallableHost[] = [];
  for (const agent of agents) {
    try {
      const version = agent.install.isVersioned ? versionOf(agent, at) : undefined;
      tell(agent, connect(agent, { ...order, version }, { rules: values.rules, copies, dryRun }), order, dryRun);
      connected.push(agent);
    } catch (error) {
      console.error(printable(`${agent.label}: ${errorReason(error)}`));
    }
  }
  if (!values.rules) suggestRules(connected, order);
  return connected.length < agents.length ? EXIT.unreadable : EXIT.ok;
}

function tell(agent: InstallableHost, changes: readonly FileChange[], order: Order, dryRun: boolean): void {
  if (changes.length === 0) {
    console.log(`${agent.label} is already connected; nothing was changed.`);
    return;
  }
  const isNew = !changes.some(({ wasThere }) => wasThere);
  const { call, scope } = order;
  console.log(`${agent.label} ${dryRun ? 'would be' : 'is'} ${isNew ? 'connected' : 'reconnected'}${call.shadow ? ', record-only' : ''}:`);
  for (const { path, before, wasThere } of changes) {
    const kept = before !== undefined && !wasThere ? `, backup in ${backupOf(path)}` : '';
    console.log(printable(`  ${path} ${before === undefined ? 'is new' : 'is changed'}${kept}`));
  }
  const isElsewhere = isConnected(agent, { ...order, scope: scope === 'user' ? 'project' : 'user' });
  if (isElsewhere && agent.hooks?.callsHaveIds === false) console.log(`  ${whyCountedTwice(agent)}`);
  if (agent.install.afterwards) console.log(`  ${agent.install.afterwards}`);
  if (call.server !== undefined)
    console.log(`  It works only while unrut serve is running. If that needs a token, set ${TOKEN_VARIABLE} where you start the agent.`);
  const place = scope === 'project' ? ' --project' : '';
  console.log(`  See what happens: unrut watch. Check: unrut doctor. Undo: unrut uninstall ${agent.name}${place}`);
}

function suggestRules(agents: readonly InstallableHost[], order: Order): void {
  const files = agents.flatMap((agent) => instructionsOf(agent, order) ?? []);
  if (files.length === 0) return;
  console.log(printable(`\nRecommended for ${files.join(', ')}; --rules adds it:`));
  for (const line of RULES) console.log(`  ${line}`.trimEnd());
}

/** What can be connected here, and how. */
function list(at: Surroundings): number {
  const order: Order = { scope: 'user', at, call: { node: '', hook: '', plugin: '', shadow: false } };
  const found = installableHosts.filter((agent) => isFound(agent, at));
  if (found.length === 0) console.log('No supported agent was found on this machine.');
  for (const agent of found) {
    const state = isConnected(agent, order) ? 'connected' : `unrut install ${agent.name}`;
    console.log(`  ${agent.label.padEnd(20)}${state}`);
  }
  const others = installableHosts.filter((agent) => !found.includes(agent));
  if (others.length > 0) console.log(`Not found: ${others.map(({ name }) => name).join(', ')}.`);
  return EXIT.ok;
}
