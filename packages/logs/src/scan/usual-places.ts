import { hosts } from '@unrut/agents/hosts';
import type { Host } from '@unrut/agents/hosts/define-host';
import type { Machine } from '@unrut/engine/machine';

/** Where an agent keeps its runs. */
export interface Place {
  /** Its name, for people. */
  agent: string;
  /** A folder, a file or a glob; it need not exist. */
  path: string;
}

/**
 * Where the agents that can be read keep their runs, by their own variables and by the platform's
 * conventions.
 */
export const usualPlaces = (machine: Machine): Place[] =>
  hosts.flatMap(({ label, runs }: Host) =>
    (runs?.(machine) ?? []).map((path) => ({ agent: label, path })),
  );
