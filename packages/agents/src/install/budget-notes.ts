import type { BudgetOptions } from '@unrut/engine/policy/spending';
import { type InstallableHost, installableHosts } from '../hosts/index.ts';
import { holds } from '../settings-files/change.ts';
import { readTextFile } from '../settings-files/change-file.ts';
import { NO_CALL, type Scope, type Surroundings } from '../settings-files/order.ts';

/** Agents whose settings call Unrut, by the files alone. Unreadable files count as none. */
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

/** Limits that the hooks of an agent cannot count, one line each, and what to use instead. */
export function budgetNotes(
  budget: BudgetOptions | undefined,
  hosts: readonly Pick<InstallableHost, 'label' | 'hooks'>[],
): string[] {
  if (!budget) return [];
  const money = [
    ...(budget.usd === undefined ? [] : ['usd']),
    ...(budget.day?.usd === undefined ? [] : ['day.usd']),
  ];
  return hosts.flatMap(({ label, hooks }) => [
    ...(hooks?.reports?.includes('usd')
      ? []
      : money.map(
          (kind) =>
            `${kind}: ${label} reports no cost here; use ${kind === 'usd' ? 'minutes or steps' : 'day.steps'}.`,
        )),
    ...(budget.subagents === undefined || hooks?.reports?.includes('subagents')
      ? []
      : [`subagents: ${label} does not name its subagents here; use minutes or steps.`]),
  ]);
}
