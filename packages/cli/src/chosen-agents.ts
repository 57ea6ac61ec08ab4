import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { type InstallableHost, installableHosts } from '@unrut/agents/hosts';
import { isFound } from '@unrut/agents/install/found-agents';
import type { Scope, Surroundings } from '@unrut/agents/settings-files/order';
import { didYouMean, usageError } from './exit.ts';

/** This machine, and the project of the current folder. Throws if the user's home is unknown. */
export function here(): Surroundings {
  const home = homedir();
  if (!isAbsolute(home))
    throw usageError(
      `HOME takes an absolute path; got ${JSON.stringify(home)}. Set it to your home folder.`,
    );
  return {
    home,
    variables: process.env,
    platform: process.platform,
    project: projectAround(process.cwd(), home),
  };
}

/** The repository root of a folder, unless that is the user's home; otherwise the folder itself. */
export function projectAround(folder: string, home: string): string {
  for (let root = folder; root !== home && root !== dirname(root); root = dirname(root))
    if (existsSync(join(root, '.git'))) return root;
  return folder;
}

/** Editors that people name, and what of them can be connected. */
const EDITORS: Readonly<Record<string, string>> = {
  vscode: 'VS Code',
  'vs-code': 'VS Code',
  code: 'VS Code',
  zed: 'Zed',
  jetbrains: 'JetBrains',
  intellij: 'JetBrains',
};

/** The agents that were named, by their names or programs; `all` are those on this machine. */
export function agentsNamed(names: readonly string[], at: Surroundings): InstallableHost[] {
  const agents = names.flatMap((name) =>
    name === 'all' ? allFound(at) : [agentNamed(name.toLowerCase())],
  );
  return [...new Set(agents)];
}

function allFound(at: Surroundings): InstallableHost[] {
  const found = installableHosts.filter((agent) => isFound(agent, at));
  if (found.length === 0)
    throw usageError(`No supported agent was found on this machine. ${list()}`);
  return found;
}

function agentNamed(name: string): InstallableHost {
  const agent =
    installableHosts.find((each) => each.name === name) ??
    installableHosts.find((each) => each.programs?.includes(name));
  if (agent) return agent;
  if (name === 'windsurf' || name === 'cascade')
    throw usageError(
      'Windsurf cannot be connected: its hooks do not tell what a call brought. To watch its MCP servers, see unrut install --mcp.',
    );
  const editor = EDITORS[name];
  if (editor !== undefined)
    throw usageError(
      `${editor} runs other agents: connect the one you use there, such as claude-code or codex; for MCP servers see unrut install --mcp.`,
    );
  const words = installableHosts.flatMap((each) => [each.name, ...(each.programs ?? [])]);
  throw usageError(`Unknown agent \`${name}\`.${didYouMean(name, words)} ${list()}`);
}

const list = (): string => `Agents: ${installableHosts.map((each) => each.name).join(', ')}.`;

/** `--user` or `--project`; a person's own settings if neither is given. */
export function scopeOf({ user, project }: { user: boolean; project: boolean }): Scope {
  if (user && project)
    throw usageError('--user and --project cannot be combined. Run the command once for each.');
  return project ? 'project' : 'user';
}

/** How it is said where an agent is connected. */
export const PLACES = {
  user: 'for you',
  project: 'in this project',
  plugin: 'as a plugin',
} as const;
