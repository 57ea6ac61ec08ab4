import { homedir } from 'node:os';
import { type InstallableHost, installableHosts } from '../hosts/index.ts';
import type { Scope, Surroundings } from '../settings-files/order.ts';
import { usageError } from './exit.ts';

/** This machine and the folder that the command was started in. */
export const here = (): Surroundings => ({
  home: homedir(),
  variables: process.env,
  platform: process.platform,
  project: process.cwd(),
});

/** The agents that were named. */
export function agentsNamed(names: readonly string[]): InstallableHost[] {
  return [...new Set(names)].map((name) => {
    const agent = installableHosts.find((each) => each.name === name);
    if (agent) return agent;
    throw usageError(`Unknown agent \`${name}\`. Agents: ${installableHosts.map((each) => each.name).join(', ')}.`);
  });
}

/** `--user` or `--project`; a person's own settings if neither is given. */
export function scopeOf({ user, project }: { user: boolean; project: boolean }): Scope {
  if (user && project) throw usageError('--user and --project cannot be combined. Run the command once for each.');
  return project ? 'project' : 'user';
}
