import type { InstallableAgent, Order, Surroundings } from '../install/agent.ts';
import { AGENTS } from '../install/agents/index.ts';
import type { Change } from '../install/change.ts';
import { backupOf } from '../install/change-file.ts';
import { connect, isConnected } from '../install/connect.ts';
import { isFound, versionOf } from '../install/found-agents.ts';
import { DEFAULT_SERVER } from '../install/hook-address.ts';
import { hookFiles } from '../install/hook-files.ts';
import { TOKEN_VARIABLE } from '../install/http-handler.ts';
import { RULES } from '../install/rules.ts';
import { whyOf } from '../redact/reason.ts';
import { printable } from '../text/printable.ts';
import { readArguments } from './arguments.ts';
import { agentsNamed, here, scopeOf } from './chosen-agents.ts';
import { EXIT, usageError } from './exit.ts';
import { installMcp } from './install-mcp.ts';

const HELP = `unrut install [options] <agent…>

Connects coding agents: from then on they are told when they loop, refused when they insist, and you see why. Their settings are
changed in place, and nothing in them is lost; unrut uninstall takes it out again. Without an agent it lists those on this machine.

Agents: ${AGENTS.map(({ name }) => name).join(', ')}

Options
  --user         in your own settings, for all projects (default)
  --project      in the settings of the project in this folder, for everybody who works on it
  --http [URL]   call a running unrut serve instead of starting a process each time (default ${DEFAULT_SERVER})
  --shadow       only record what would be done
  --rules        also write into the agent's instructions what to do on a note
  --mcp FILE     stand in front of the servers in a config of any MCP client (.mcp.json, claude_desktop_config.json, config.toml, …)
  --dry-run      say which files would be changed, and change none
  --help

Exit codes: 0 connected, 2 a file could not be read or written, 64 wrong usage.`;

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
  if (addresses.length > (values.http ? 1 : 0)) throw usageError(`An address goes with --http, and only one; got ${addresses.join(' ')}.`);
  const agents = agentsNamed(positionals.filter((word) => !addresses.includes(word)));
  const scope = scopeOf(values);
  for (const { label, http, userOnly } of agents) {
    if (values.http && http !== true) throw usageError(`${http}. Install ${label} without --http.`);
    if (scope === 'project' && userOnly) throw usageError(`${label} has no settings of a project. Install it without --project.`);
  }
  const at = here();
  if (agents.length === 0) return list(at);

  const { copies, ...files } = hookFiles(at);
  const server = values.http ? (addresses[0] ?? DEFAULT_SERVER) : undefined;
  const order: Order = { scope, at, call: { ...files, server, shadow: values.shadow } };
  const dryRun = values['dry-run'];
  const connected: InstallableAgent[] = [];
  for (const agent of agents) {
    try {
      const version = agent.isVersioned ? versionOf(agent, at) : undefined;
      tell(agent, connect(agent, { ...order, version }, { rules: values.rules, copies, dryRun }), order, dryRun);
      connected.push(agent);
    } catch (error) {
      console.error(printable(`${agent.label}: ${whyOf(error)}`));
    }
  }
  if (!values.rules) suggestRules(connected, order);
  return connected.length < agents.length ? EXIT.unreadable : EXIT.ok;
}

function tell(agent: InstallableAgent, changes: readonly Change[], order: Order, dryRun: boolean): void {
  if (changes.length === 0) {
    console.log(`${agent.label} is already connected; nothing was changed.`);
    return;
  }
  const isNew = !changes.some(({ wasThere }) => wasThere);
  const { call, scope } = order;
  console.log(
    `${agent.label} ${dryRun ? 'would be' : 'is'} ${isNew ? 'connected' : 'connected anew'}${call.shadow ? ', to record only' : ''}:`,
  );
  for (const { path, before, wasThere } of changes) {
    const kept = before !== undefined && !wasThere ? `, kept as it was in ${backupOf(path)}` : '';
    console.log(printable(`  ${path} ${before === undefined ? 'is new' : 'is changed'}${kept}`));
  }
  if (agent.afterwards) console.log(`  ${agent.afterwards}`);
  if (call.server !== undefined)
    console.log(`  It is called only while unrut serve runs. Where that has a token, start the agent with it in ${TOKEN_VARIABLE}.`);
  const place = scope === 'project' ? ' --project' : '';
  console.log(`  See what happens: unrut watch. Check: unrut doctor. Undo: unrut uninstall ${agent.name}${place}`);
}

function suggestRules(agents: readonly InstallableAgent[], { scope, at }: Order): void {
  const files = agents.flatMap((agent) => agent.instructions(scope, at) ?? []);
  if (files.length === 0) return;
  console.log(printable(`\nWorth having in ${files.join(', ')}; --rules writes it there:`));
  for (const line of RULES) console.log(`  ${line}`.trimEnd());
}

/** What can be connected here, and how. */
function list(at: Surroundings): number {
  const order: Order = { scope: 'user', at, call: { node: '', hook: '', plugin: '', shadow: false } };
  const found = AGENTS.filter((agent) => isFound(agent, at));
  if (found.length === 0) console.log('No agent that can be connected was found on this machine.');
  for (const agent of found) {
    const state = isConnected(agent, order) ? 'connected' : `unrut install ${agent.name}`;
    console.log(`  ${agent.label.padEnd(20)}${state}`);
  }
  const others = AGENTS.filter((agent) => !found.includes(agent));
  if (others.length > 0) console.log(`Not found: ${others.map(({ name }) => name).join(', ')}.`);
  return EXIT.ok;
}
