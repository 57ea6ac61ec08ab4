import type { HookMemory } from '../adapters/index.ts';
import type { Json } from '../event.ts';
import type { Guard, GuardOptions } from '../guard.ts';

/** A session's guard, and what its adapter remembers. */
export interface HookGuard {
  guard: Guard;
  memory: HookMemory;
}

/** What a session's state is in a ledger: all that goes on with it. */
export const stateOf = (session: string, { guard, memory }: HookGuard): Json => ({ ...guard.snapshot(session), memory }) as unknown as Json;

/** The guards that a process which answers many hooks keeps between them, so that it need not build them from the ledger each time. */
export interface KeptGuards {
  /** The guard of a session whose saved state has this version, made with these options. It is given once: whoever saves its state keeps it again. */
  take(session: string, version: number, options: GuardOptions): HookGuard | undefined;
  keep(session: string, version: number, options: GuardOptions, guard: HookGuard): void;
}

/** About 100 KB each. */
const MOST = 200;

export function createKeptGuards(most: number = MOST): KeptGuards {
  const kept = new Map<string, { key: string; guard: HookGuard }>();
  // Detectors and recoveries are told apart by their names and options: what they do is the same in one process.
  const written = new WeakMap<GuardOptions, string>();
  function keyOf(version: number, options: GuardOptions): string {
    const text = written.get(options) ?? JSON.stringify(options);
    written.set(options, text);
    return `${version} ${text}`;
  }
  return {
    take(session, version, options) {
      const found = kept.get(session);
      kept.delete(session);
      return found?.key === keyOf(version, options) ? found.guard : undefined;
    },
    keep(session, version, options, guard) {
      kept.delete(session);
      kept.set(session, { key: keyOf(version, options), guard });
      if (kept.size > most) kept.delete(kept.keys().next().value!);
    },
  };
}
