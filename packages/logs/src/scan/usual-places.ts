import { hosts } from '@unrut/agents/hosts';
import type { Host } from '@unrut/agents/hosts/define-host';
import type { Machine } from '@unrut/engine/machine';

/** A location of an agent's runs. */
export interface Place {
  /** Its name, for people. */
  agent: string;
  /** A folder, file or glob; it need not exist. */
  path: string;
}

/** The locations of supported agents' runs, from their variables and the platform's conventions. */
export const usualPlaces = (machine: Machine): Place[] =>
  hosts.flatMap(({ label, runs }: Host) =>
    (runs?.(machine) ?? []).map((path) => ({ agent: label, path })),
  );
