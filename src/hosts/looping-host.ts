import type { JsonObject } from '../json.ts';

/** What a host hands to its hooks around the n-th try of a command that always fails in the same way, and what comes of it. */
export interface LoopingHost {
  before(n: number): JsonObject;
  /** In the order in which the hooks are called. */
  after(n: number): JsonObject[];
  /** Also a call that was refused is shown afterwards. */
  afterRefusal?(n: number): JsonObject[];
  /** Whether an answer refuses the call, and whether it ends the run, as the host's documentation has it. Missing: it never does. */
  refuses?(stdout: JsonObject): boolean;
  stops?(stdout: JsonObject): boolean;
  /** What happens at which of nine tries: the hook and the rung, a refusal, the end. */
  happens: readonly string[];
}

/** What all loops are about. */
export const LOOP = { cwd: '/home/dev/project', args: { command: 'npm test' } } as const;

/** The moment of a hook: tries are five seconds apart, the hooks around one a second. */
export const momentInLoop = (n: number, part: number): string => new Date(1_794_800_000_000 + 5000 * n + 1000 * part).toISOString();

/** Where nothing ends a run, the call is refused as often as it is tried. */
export const refusedFrom = (first: number, hook: string, last = 9): string[] =>
  Array.from({ length: last + 1 - first }, (_, i) => [`${first + i} ${hook}: block`, `${first + i} refused`]).flat();
