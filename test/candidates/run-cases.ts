import type { AgentEvent } from '@unrut/engine/event';
import { momentsOf } from '@unrut/testing/trace';
import {
  createGuard,
  type Guard,
  type GuardOptions,
  type Plan,
  type Verdict,
} from '../../packages/cli/src/index.ts';

/** Lines of a trace, played through a guard. */
export function playTrace(
  lines: readonly string[],
  options: GuardOptions = {},
): { guard: Guard; verdicts: Verdict[]; plans: Plan[] } {
  const guard = createGuard(options);
  const verdicts = momentsOf(lines).flatMap(({ events }) =>
    events.map((event) => guard.observe(event)),
  );
  return { guard, verdicts, plans: verdicts.flatMap(({ plan }) => plan ?? []) };
}

/** The tools that a host says it has, ahead of a trace. */
export function withTools(
  names: readonly string[],
  lines: readonly string[],
  options: GuardOptions = {},
): Plan[] {
  const guard = createGuard(options);
  const tools = names.map((name) => ({ name }));
  const told = momentsOf(lines).flatMap(({ events }) => events);
  const listed: AgentEvent = { type: 'tools-listed', session: 'trace', at: told[0]!.at, tools };
  return [listed, ...told].flatMap((event) => guard.observe(event).plan ?? []);
}

/** The way in which the last call of a trace failed, as the guard keeps it. */
export function failureAtEnd(lines: readonly string[]): string | null {
  const { guard, verdicts } = playTrace(lines);
  const faults = verdicts.flatMap((verdict) => verdict.faults);
  if (faults.length > 0) throw new Error(faults[0]!.message);
  const { candidates } = guard.snapshot('trace').sessions.trace as unknown as {
    candidates: { calls: { failure?: string }[] };
  };
  return candidates.calls.at(-1)?.failure ?? null;
}
