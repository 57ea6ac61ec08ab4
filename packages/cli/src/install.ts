import { basename } from 'node:path';
import { expectWelcome } from '@unrut/agents/hook/welcome';
import { type InstallableHost, installableHosts } from '@unrut/agents/hosts';
import { connect, instructionsOf, isConnected } from '@unrut/agents/install/connect';
import { type Connection, examineAgent } from '@unrut/agents/install/doctor/examine-agent';
import { ourCalls } from '@unrut/agents/install/doctor/our-calls';
import { isFound, versionOf } from '@unrut/agents/install/found-agents';
import { commandWord, hookFiles } from '@unrut/agents/install/hook-files';
import { RULES } from '@unrut/agents/install/rules';
import type { FileChange } from '@unrut/agents/settings-files/change';
import { backupOf, readTextFile } from '@unrut/agents/settings-files/change-file';
import { readJson } from '@unrut/agents/settings-files/edit-json';
import { DEFAULT_SERVER } from '@unrut/agents/settings-files/hook-address';
import { TOKEN_VARIABLE } from '@unrut/agents/settings-files/http-handler';
import { NO_CALL, type Order, type Surroundings } from '@unrut/agents/settings-files/order';
import { isOurHandler } from '@unrut/agents/settings-files/our-handler';
import { isObject } from '@unrut/engine/json';
import { errorReason } from '@unrut/engine/redact/reason';
import { printable } from '@unrut/engine/text/printable';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import type { LookedRun } from '@unrut/ledger/report/look-report';
import { flagOption, optionLines, textOption, textsOption, trialShare } from './arguments.ts';
import { beginTrial, trialToBegin } from './begin-trial.ts';
import { agentsNamed, here, PLACES, scopeOf } from './chosen-agents.ts';
import { defineCommand } from './command.ts';
import { type CommandLine, commandLines } from './command-lines.ts';
import { EXIT, usageError } from './exit.ts';
import { lookBack } from './first-look.ts';
import { installMcp } from './install-mcp.ts';
import { printLines } from './printed.ts';
import { showProof } from './proof.ts';
import type { ScanSetting } from './scan.ts';

const OPTIONS = {
  user: flagOption('install in your user settings, for all projects (default)'),
  project: flagOption(
    'install in the settings of the repository that this folder is in, for everyone who clones it',
  ),
  http: flagOption(
    `call a running unrut serve instead of starting a process each time (default ${DEFAULT_SERVER})`,
    '[URL]',
  ),
  shadow: flagOption('record only; never act'),
  trial: textOption(
    'SHARE',
    'also write to the config that this share of new sessions, such as 50%, is only recorded,\nto see whether Unrut helps: unrut stats --trial',
  ),
  statusline: flagOption(
    "also show in Claude Code's status line what Unrut sees, if it has none yet",
  ),
  rules: flagOption("also add rules for handling Unrut's notes to the agent's instructions file"),
  mcp: textsOption(
    'FILE',
    'wrap the servers in the config of any MCP client (.mcp.json, claude_desktop_config.json, config.toml, …)',
  ),
  'dry-run': flagOption('show which files would change, without changing them'),
} as const;

const HELP = `unrut install [options] <agent…>

Connect coding agents: Unrut warns an agent when it loops, blocks the call if it keeps going, and shows you why. The agent's settings are
edited in place and keep everything else; unrut uninstall reverts the change. At the end a loop, the worst one that unrut has seen on this
machine or one that is made up, is replayed through the new hook, to show what the agent will read.
Without an agent, list those found on this machine; all connects them.

Agents: ${installableHosts.map(({ name }) => name).join(', ')}

${optionLines(OPTIONS)}

Exit codes: 0 connected (a step that is left to you is printed), 1 connected but the hook does not work, 2 a file could not be read or written, 64 usage error.`;

/** `unrut install`. */
export const install = defineCommand(
  { name: 'install', help: HELP, options: OPTIONS },
  async ({ values, operands }, { worker }: ScanSetting) => {
    const share = values.trial === undefined ? undefined : trialShare(values.trial);
    if (share !== undefined && operands.length === 0)
      throw usageError('--trial needs an agent: unrut install claude-code --trial 50%.');
    if (share !== undefined && values.shadow)
      throw usageError('--trial and --shadow cannot be combined: with --shadow Unrut never acts.');
    if (values.mcp.length > 0 && operands.length === 0)
      return installMcp(values.mcp, { shadow: values.shadow, dryRun: values['dry-run'] });
    const addresses = operands.filter((word) => /^https?:\/\//.test(word));
    if (addresses.length > (values.http ? 1 : 0))
      throw usageError(`An address needs --http, which takes one; got ${addresses.join(' ')}.`);
    const at = here();
    const agents = agentsNamed(
      operands.filter((word) => !addresses.includes(word)),
      at,
    );
    const scope = scopeOf(values);
    for (const {
      label,
      install: { http, userOnly },
    } of agents) {
      if (values.http && http !== true)
        throw usageError(
          `${http ?? `${label} has no HTTP hooks`}. Install ${label} without --http.`,
        );
      if (scope === 'project' && userOnly)
        throw usageError(`${label} has no project settings. Install it without --project.`);
    }
    if (agents.length === 0) return list(at);

    const { copies, ...files } = hookFiles(at, scope);
    const server = values.http ? (addresses[0] ?? DEFAULT_SERVER) : undefined;
    const order: Order = {
      scope,
      at,
      call: { ...files, server, shadow: values.shadow, statusLine: values.statusline },
    };
    const dryRun = values['dry-run'];
    const trial = share === undefined ? undefined : trialToBegin(share, scope, at.project);
    const added: InstallableHost[] = [];
    let [isUnreadable, isWorking, isProven] = [false, true, false];
    let runs: LookedRun[] | undefined;
    for (const agent of agents) {
      try {
        const version = agent.install.isVersioned ? versionOf(agent, at) : undefined;
        const isLine = values.statusline && isByPlugin(agent, order);
        const wanted: Order = {
          ...order,
          version,
          ...(isLine ? { call: { ...order.call, statusLine: 'only' } } : {}),
        };
        const changes = connect(agent, wanted, { rules: values.rules, copies, dryRun });
        tell(agent, changes, wanted, dryRun);
        if (changes.some(({ wasThere }) => !wasThere)) added.push(agent);
        if (
          !dryRun &&
          values.statusline &&
          agent.install.hasStatusLine &&
          !hasOurLine(agent, wanted)
        )
          console.log(
            '  Your status line was left as it is. To show there what Unrut sees, have it run: unrut statusline',
          );
        if (dryRun || isLine) continue;
        const { own, works } = await check(agent, order);
        isWorking &&= works;
        // One proof is enough for all of them.
        if (own?.fires && !own.shadow && !isProven) {
          runs ??= (await lookBack(worker)).found.runs;
          isProven = await showProof(agent, own.path, at, runs);
        }
      } catch (error) {
        isUnreadable = true;
        console.error(printable(`${agent.label}: ${errorReason(error)}`));
      }
    }
    if (trial && !isUnreadable) beginTrial(trial, dryRun);
    if (!dryRun) for (const agent of added) welcomeIn(agent);
    const next = [
      ...(dryRun || isUnreadable ? [] : usualCommands(agents, order)),
      ...(values.rules ? [] : suggestedRules(added, order)),
      ...(values.statusline ? [] : suggestedStatusLine(added, order)),
    ];
    if (next.length > 0) printLines(commandLines(next));
    if (!dryRun && !isUnreadable) tellHowToType(at);
    return isUnreadable ? EXIT.unreadable : isWorking ? EXIT.ok : EXIT.loops;
  },
);

/** An agent that can tell a person something when it starts says once that it is watched. */
function welcomeIn({ name, hooks }: InstallableHost): void {
  if (hooks?.person?.starts({ hook_event_name: 'SessionStart' }))
    expectWelcome(loadSettings().settings.ledger.path, name);
}

/** Whether the status line in the settings is ours. */
function hasOurLine({ install }: InstallableHost, order: Order): boolean {
  const { path } = install.edits(order)[0]!;
  const settings = readJson(readTextFile(path) ?? '{}', path);
  return isObject(settings) && isOurHandler(settings.statusLine);
}

/** Whether the hooks come from a plugin, and none are in these settings. */
function isByPlugin({ install }: InstallableHost, order: Order): boolean {
  const { path } = install.edits(order)[0]!;
  const text = readTextFile(path) ?? '';
  return (
    order.scope === 'user' &&
    install.pluginIn?.(order.at, readTextFile) !== undefined &&
    ourCalls(path, text || '{}').length === 0
  );
}

function tell(
  agent: InstallableHost,
  changes: readonly FileChange[],
  { call }: Order,
  dryRun: boolean,
): void {
  if (changes.length === 0) {
    console.log(`${agent.label} is already connected; nothing was changed.`);
    return;
  }
  const isNew = !changes.some(({ wasThere }) => wasThere);
  const [verb, mode] = [dryRun ? 'would be' : 'is', call.shadow ? ', record-only' : ''];
  if (call.statusLine === 'only')
    console.log(`${agent.label}'s status line ${verb} added; its hooks come from the plugin:`);
  else console.log(`${agent.label} ${verb} ${isNew ? 'connected' : 'reconnected'}${mode}:`);
  for (const { path, before, wasThere } of changes) {
    const kept = before !== undefined && !wasThere ? `, backup in ${backupOf(path)}` : '';
    console.log(printable(`  ${path} ${before === undefined ? 'is new' : 'is changed'}${kept}`));
  }
}

/** Calls the hook as `doctor` does and prints the result. */
async function check(
  agent: InstallableHost,
  { scope, at, call }: Order,
): Promise<{ own: Connection | undefined; works: boolean }> {
  const { connections, problems } = await examineAgent(agent, at, null);
  const own = connections.find((each) => each.scope === scope);
  const problem = (line: string): string => line.replace(`${agent.label}: `, '');
  if (own?.fires && problems.length === 0)
    console.log('  Checked: the hook was called once; it answers and records.');
  for (const line of problems) console.log(printable(`  Not working yet: ${problem(line)}`));
  for (const { path, scope: other } of connections.filter((each) => each !== own))
    console.log(
      printable(
        `  Also connected ${PLACES[other]} (${path}): each call counts once, but starts an extra process.${undoOf(agent.name, other)}`,
      ),
    );
  if (problems.length === 0 && agent.install.afterwards)
    console.log(`  ${agent.install.afterwards}`);
  if (scope === 'project' && call.server === undefined)
    console.log('  Commit these files, and it works for everyone who clones the project.');
  if (call.server !== undefined)
    console.log(
      `  It works only while unrut serve is running. If that needs a token, set ${TOKEN_VARIABLE} where you start the agent.`,
    );
  return { own, works: call.server !== undefined || own === undefined || own.fires };
}

const undoOf = (name: string, scope: keyof typeof PLACES): string =>
  scope === 'plugin'
    ? ''
    : ` To disconnect it there: unrut uninstall ${name}${scope === 'project' ? ' --project' : ''}`;

/** The commands that people usually need next. */
const usualCommands = (agents: readonly InstallableHost[], { at, scope }: Order): CommandLine[] => {
  const unrut = commandWord(at);
  const names = agents.map(({ name }) => name).join(' ');
  return [
    [`${unrut} watch`, 'see what happens'],
    [`${unrut} doctor`, 'check whether it works'],
    [`${unrut} off`, 'switch it off in this project'],
    [`${unrut} uninstall ${names}${placeOf(scope)}`, 'undo'],
  ];
};

const placeOf = (scope: Order['scope']): string => (scope === 'project' ? ' --project' : '');

function suggestedRules(agents: readonly InstallableHost[], order: Order): CommandLine[] {
  const files = agents.flatMap((agent) => instructionsOf(agent, order) ?? []);
  if (files.length === 0) return [];
  const names = agents.map(({ name }) => name).join(' ');
  const bases = [...new Set(files.map((file) => basename(file)))].join(', ');
  return [
    [
      `${commandWord(order.at)} install ${names}${placeOf(order.scope)} --rules`,
      `recommended: ${RULES.length} lines in ${bases}`,
    ],
  ];
}

const suggestedStatusLine = (
  agents: readonly InstallableHost[],
  { at, scope }: Order,
): CommandLine[] =>
  agents
    .filter(({ install }) => install.hasStatusLine)
    .map(({ name, label }) => [
      `${commandWord(at)} install ${name}${placeOf(scope)} --statusline`,
      `optional: ${label}'s status line`,
    ]);

function tellHowToType(at: Surroundings): void {
  if (commandWord(at) !== 'unrut')
    console.log(
      'Where Unrut says unrut, type npx unrut, or install it for good: npm install --global unrut',
    );
}

/** Lists the agents that can be connected here, and the command for each. */
function list(at: Surroundings): number {
  const order: Order = { scope: 'user', at, call: NO_CALL };
  const found = installableHosts.filter((agent) => isFound(agent, at));
  if (found.length === 0)
    printLines([
      'No supported agent was found on this machine. To connect one anyway, name it: unrut install claude-code',
    ]);
  for (const agent of found) {
    const state = isConnected(agent, order) ? 'connected' : `unrut install ${agent.name}`;
    printLines([`  ${agent.label.padEnd(20)}${state}`]);
  }
  if (found.length > 1) printLines([`  ${'all of them'.padEnd(20)}unrut install all`]);
  const others = installableHosts.filter((agent) => !found.includes(agent));
  if (others.length > 0) console.log(`Not found: ${others.map(({ name }) => name).join(', ')}.`);
  return EXIT.ok;
}
