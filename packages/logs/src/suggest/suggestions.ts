import { type HostName, hosts } from '@unrut/agents/hosts';
import type { Host } from '@unrut/agents/hosts/define-host';
import { redact } from '@unrut/engine/redact/redact';
import type { Suggestion, Trajectory } from '@unrut/ledger/report/scan-report';
import type { CallSeen } from './call-memory.ts';
import { type Facts, suggestRules } from './rules.ts';

/** A rule's finding in one loop of one run. Plain JSON, since threads transfer it. */
export interface Lead {
  rule: string;
  facts: Facts;
  host?: HostName;
  repository?: string;
  /** The session, which nested agents share with their parent. */
  session: string;
  from: Suggestion['runs'][number];
  wastedSteps: number;
}

/** A loop must be in this many sessions. */
const SEVERAL = 2;
/** Number of calls after a loop to search for one that succeeded. */
const LATER = 200;

/** The leads of one run: at most one per loop. */
export function leadsOf(
  run: Trajectory,
  calls: readonly CallSeen[],
  { session, host }: { session: string; host: Host | undefined },
): Lead[] {
  const unguarded = host?.install && !run.did ? { unguarded: host.name } : {};
  return run.loops.flatMap((loop): Lead[] => {
    const seen = {
      detector: loop.detector,
      calls: calls.filter(({ step }) => step >= loop.start && step <= loop.end),
      later: calls.filter(({ step }) => step > loop.end).slice(0, LATER),
      ...unguarded,
    };
    for (const rule of suggestRules.filter(({ forNotes }) => forNotes || !loop.advice)) {
      const facts = rule.facts(seen);
      if (facts)
        return [
          {
            rule: rule.name,
            facts,
            session,
            ...(host ? { host: host.name as HostName } : {}),
            ...(run.repository === undefined ? {} : { repository: run.repository }),
            from: { id: run.id, file: run.file, loop: loop.id, start: loop.start, end: loop.end },
            wastedSteps: loop.wastedSteps,
          },
        ];
    }
    return [];
  });
}

/** Changes that would have prevented loops in several sessions, most waste first. */
export function suggestionsFrom(leads: readonly Lead[]): Suggestion[] {
  // Threads are done in any order.
  const inOrder = leads.toSorted(
    ({ from: one }, { from: other }) =>
      one.file.localeCompare(other.file) ||
      one.id.localeCompare(other.id) ||
      one.start - other.start,
  );
  const recurring = [...Map.groupBy(inOrder, keyOf).values()].filter(
    (group) => new Set(group.map(({ session }) => session)).size >= SEVERAL,
  );
  const made = recurring.flatMap((group) => suggestionFrom(group) ?? []);
  // Several loops may ask for the same change.
  return [...Map.groupBy(made, changeOf).values()]
    .map((same) => ({
      ...same[0]!,
      runs: same.flatMap(({ runs }) => runs),
      wastedSteps: same.reduce((sum, { wastedSteps }) => sum + wastedSteps, 0),
    }))
    .sort((one, other) => other.wastedSteps - one.wastedSteps);
}

const keyOf = ({ rule, facts, host, repository }: Lead): string =>
  JSON.stringify([rule, facts.key, host, repository]);

const changeOf = ({ rule, host, repository, file, add }: Suggestion): string =>
  JSON.stringify([rule, host, repository, file, add]);

function suggestionFrom(leads: readonly Lead[]): Suggestion | undefined {
  const { rule: name, host: hostName, repository } = leads[0]!;
  const rule = suggestRules.find((each) => each.name === name)!;
  const host: Host | undefined = hosts.find((each) => each.name === hostName);
  const change = rule.change(
    leads.map(({ facts }) => facts),
    host?.install?.instructions.project ?? 'AGENTS.md',
  );
  // A change with a masked part is useless.
  if (!change || redact(change.add) !== change.add || MASKED.test(change.add)) return undefined;
  return {
    rule: rule.name,
    kind: rule.kind,
    ...(hostName === undefined ? {} : { host: hostName }),
    ...(repository === undefined ? {} : { repository }),
    ...change,
    runs: leads.map(({ from }) => from),
    wastedSteps: leads.reduce((sum, lead) => sum + lead.wastedSteps, 0),
  };
}

const MASKED = /<secret>|…/;
