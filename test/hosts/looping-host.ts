import { type HostName, hookHosts } from '@unrut/agents/hosts';
import type { LoopingHost } from '../../packages/agents/src/hosts/fixtures/looping-host.ts';

export type { LoopingHost } from '../../packages/agents/src/hosts/fixtures/looping-host.ts';

const loopOf = async (name: string): Promise<LoopingHost> =>
  (
    (await import(`../../packages/agents/src/hosts/${name}/fixtures/loop.ts`)) as {
      loop: LoopingHost;
    }
  ).loop;

/** The loops of all hosts that call hooks, as their folders have them. */
export const LOOPING = Object.fromEntries(
  await Promise.all(hookHosts.map(async ({ name }) => [name, await loopOf(name)] as const)),
) as Record<HostName, LoopingHost>;
