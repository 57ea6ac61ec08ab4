import { readdirSync, readFileSync } from 'node:fs';
import { type HookHost, type HostName, hookHosts } from '@unrut/agents/hosts';
import type { HookAnswer, HookMemory, Host } from '@unrut/agents/hosts/define-host';
import type { AgentEvent } from '@unrut/engine/event';
import { createGuard, type Snapshot } from '@unrut/engine/guard';

export type Payload = Record<string, unknown>;

export const HOSTS = hookHosts.map(({ name }) => name as HostName);
export const hostNamed = (host: HostName): HookHost => hookHosts.find(({ name }) => name === host)!;

const folderOf = (host: HostName): URL =>
  new URL(`../../packages/agents/src/hosts/${host}/fixtures/`, import.meta.url);

/** The payloads that one fixture of a host holds. */
export const payloadsIn = (host: HostName, fixture: string): Payload[] =>
  readFileSync(new URL(fixture, folderOf(host)), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Payload);

export const fixturesOf = (host: HostName): string[] =>
  readdirSync(folderOf(host))
    .filter((name) => name.endsWith('.jsonl'))
    .sort();

/** Reads a host's payloads; serialises the memory after each one, as separate processes do. */
export function readAll(host: Host, payloads: readonly Payload[]): AgentEvent[] {
  let kept = '[]';
  return payloads.flatMap((payload, i) => {
    const memory = JSON.parse(kept) as HookMemory;
    const told = host.understand(payload);
    const events = told ? host.read(told, { at: 1_794_800_000_000 + 5000 * i, memory }) : [];
    kept = JSON.stringify(memory);
    return events;
  });
}

/** One line an event. */
export const outline = (events: readonly AgentEvent[]): string[] =>
  events.map((event) => {
    const who = event.agent === undefined ? '' : `${event.agent}: `;
    if (event.type === 'call-proposed') return `${who}calls ${event.call.tool}`;
    if (event.type === 'call-finished') {
      const { call, result, error, exitCode, refusedBy } = event;
      const marks = [
        error && 'failed',
        exitCode !== undefined && `exit ${exitCode}`,
        refusedBy && `refused by ${refusedBy}`,
      ];
      return [
        `${who}${call.tool} gives ${JSON.stringify(result)?.slice(0, 40) ?? 'nothing known'}`,
        ...marks.filter(Boolean),
      ].join(', ');
    }
    if (event.type === 'text-added') return `${who}says ${event.text}`;
    return event.type === 'user-spoke' ? `${who}person: ${event.text}` : `${who}${event.type}`;
  });

/** Hook processes of one session: each knows only what the one before has written down. */
export function hookProcesses(
  host: Host,
): (payload: Payload) => { events: AgentEvent[]; answer: HookAnswer | null } {
  let kept = '{"memory":[]}';
  let at = 1_794_800_000_000;
  return (payload) => {
    at += 1000;
    const { memory, from } = JSON.parse(kept) as { memory: HookMemory; from?: Snapshot };
    const told = host.understand(payload)!;
    const guard = createGuard({ can: host.can(told), ...(from ? { from } : {}) });
    const events = host.read(told, { at, memory });
    const verdicts = events.map((event) => guard.observe(event));
    const answer = host.write(verdicts, told, { at, memory });
    const faults = [
      ...verdicts,
      ...(answer?.events ?? []).map((event) => guard.observe(event)),
    ].flatMap((verdict) => verdict.faults);
    if (faults.length > 0) throw new Error(JSON.stringify(faults));
    kept = JSON.stringify({ memory, from: guard.snapshot() });
    return { events, answer };
  };
}
