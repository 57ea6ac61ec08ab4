import type { Group, Groups, Trajectory } from './scan-report.ts';

/** The tool that a loop repeats, or a label for repeated text. */
const toolOf = (what: string | undefined): string =>
  what === undefined
    ? 'unknown'
    : /^says\b/.test(what)
      ? 'messages'
      : (/^[^\s(`"]+/.exec(what)?.[0] ?? 'unknown');

const ORDER = ['kind', 'tool', 'model', 'repository'] as const;

/** Groupings with at least one loop. A single group without a name is omitted. */
export const tellingGroups = (groups: Groups): [by: keyof Groups, wasteful: Group[]][] =>
  ORDER.map((by): [keyof Groups, Group[]] => [
    by,
    groups[by].filter(({ loops }) => loops > 0),
  ]).filter(([, wasteful]) => wasteful.some(({ name }) => name !== 'unknown'));

/**
 * Runs and loops by model, repository, tool and kind, most waste first. Runs without a model or
 * folder are under `unknown`.
 */
export function groupsOf(runs: readonly Trajectory[]): Groups {
  const by = {
    model: new Map<string, Group>(),
    repository: new Map<string, Group>(),
    tool: new Map<string, Group>(),
    kind: new Map<string, Group>(),
  };
  const groupIn = (groups: Map<string, Group>, name: string): Group => {
    const group = groups.get(name) ?? {
      name,
      runs: 0,
      looping: 0,
      loops: 0,
      steps: 0,
      wastedSteps: 0,
    };
    groups.set(name, group);
    return group;
  };
  for (const run of runs) {
    const loops = run.loops.filter(({ advice }) => !advice);
    for (const group of [
      groupIn(by.model, run.model ?? 'unknown'),
      groupIn(by.repository, run.repository ?? 'unknown'),
    ]) {
      group.runs++;
      group.steps += run.steps;
      group.looping += loops.length > 0 ? 1 : 0;
      group.loops += loops.length;
      group.wastedSteps += run.wastedSteps;
    }
    const seen = new Set<Group>();
    for (const loop of loops) {
      for (const group of [
        groupIn(by.tool, toolOf(loop.repeats[0]?.what)),
        groupIn(by.kind, loop.detector),
      ]) {
        group.loops++;
        group.wastedSteps += loop.wastedSteps;
        if (!seen.has(group)) group.looping++;
        seen.add(group);
      }
    }
  }
  const sorted = (groups: Map<string, Group>): Group[] =>
    [...groups.values()].sort(
      (one, other) =>
        other.wastedSteps - one.wastedSteps || other.loops - one.loops || other.runs - one.runs,
    );
  return {
    model: sorted(by.model),
    repository: sorted(by.repository),
    tool: sorted(by.tool),
    kind: sorted(by.kind),
  };
}
