import type { BudgetOptions } from '@unrut/engine/policy/spending';
import { type InstallableHost, installableHosts } from '../hosts/index.ts';
import { holds } from '../settings-files/change.ts';
import { readTextFile } from '../settings-files/change-file.ts';
import { NO_CALL, type Scope, type Surroundings } from '../settings-files/order.ts';

/** Agents whose settings call Unrut, judging by files only. Unreadable files are skipped. */
export const connectedHosts = (at: Surroundings): InstallableHost[] =>
  installableHosts.filter((host) =>
    (['user', 'project'] as const).some((scope) => isConnected(host, scope, at)),
  );

function isConnected({ install }: InstallableHost, scope: Scope, at: Surroundings): boolean {
  if (scope === 'project' && (install.userOnly || at.project === at.home)) return false;
  try {
    const [main] = install.edits({ scope, at, call: NO_CALL });
    const text = main && readTextFile(main.path);
    return text !== undefined && holds(main!, text);
  } catch {
    return false;
  }
}

/** Whether our status line is in the settings of an agent that passes costs to it. */
export const hasCostLine = ({ install }: InstallableHost, at: Surroundings): boolean =>
  install.hasStatusLine === true &&
  (['user', 'project'] as const).some((scope) => {
    try {
      const [main] = install.edits({ scope, at, call: NO_CALL });
      return (main && readTextFile(main.path))?.includes('--statusline') === true;
    } catch {
      return false;
    }
  });

/** Limits that an agent's hooks cannot count, one line each, with an alternative. */
export const budgetNotes = (
  budget: BudgetOptions | undefined,
  hosts: readonly InstallableHost[],
  at: Surroundings,
): string[] => (budget ? hosts.flatMap((host) => notesOn(host, budget, at)) : []);

function notesOn(host: InstallableHost, budget: BudgetOptions, at: Surroundings): string[] {
  const { name, label, hooks, install } = host;
  const knowsCost = hooks?.reports?.includes('usd') || hasCostLine(host, at);
  const otherwise = install.hasStatusLine
    ? `, or unrut install ${name} --statusline, to which it reports it`
    : '';
  const noCost = (kind: string, instead: string): string =>
    `${kind}: ${label} reports no cost here; use ${instead}${otherwise}.`;
  return [
    ...(budget.usd === undefined || knowsCost ? [] : [noCost('usd', 'minutes or steps')]),
    ...(budget.day?.usd === undefined || knowsCost ? [] : [noCost('day.usd', 'day.steps')]),
    ...(budget.subagents === undefined || hooks?.reports?.includes('subagents')
      ? []
      : [`subagents: ${label} does not name its subagents here; use minutes or steps.`]),
  ];
}
