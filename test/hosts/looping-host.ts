import type { LoopingHost } from '../../src/hosts/fixtures/looping-host.ts';
import { type HostName, hookHosts } from '../../src/hosts/index.ts';

export type { LoopingHost } from '../../src/hosts/fixtures/looping-host.ts';

const loopOf = async (name: string): Promise<LoopingHost> =>
  ((await import(`../../src/hosts/${name}/fixtures/loop.ts`)) as { loop: LoopingHost }).loop;

/** The loops of all hosts that call hooks, as their folders have them. */
export const LOOPING = Object.fromEntries(
  await Promise.all(hookHosts.map(async ({ name }) => [name, await loopOf(name)] as const)),
) as Record<HostName, LoopingHost>;
