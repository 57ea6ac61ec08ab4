import { hosts } from '@unrut/agents/hosts';
import type { Host } from '@unrut/agents/hosts/define-host';
import type { AgentEvent } from '@unrut/engine/event';
import type { Verdict } from '@unrut/engine/guard';
import { present, textOf } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import { redact } from '@unrut/engine/redact/redact';

/** A call with the data for the rules. All texts are redacted. */
export interface CallSeen {
  step: number;
  /** The tool's name in the host. */
  tool: string;
  /** The command, or tool and target. */
  label: string;
  isShell: boolean;
  /** It can change something. */
  changes: boolean;
  key: string;
  digest: string;
  /** The most informative line of its error; null if it did not fail. */
  error: string | null;
  /** No tool of this name exists. */
  isUnknownTool: boolean;
  /** The settings line that would allow it, if the host rejected it for lack of permission. */
  allow?: string;
  /** Its duration; if only its start and end are known, this may include waiting for the user. */
  ms?: number;
}

/** Later calls of a run are not remembered. */
const MAX = 20_000;
/** With more concurrent calls, the duration of the first ones is unknown. */
const MAX_OPEN = 64;

/** Remembers the finished calls of one run. */
export interface CallMemory {
  /** `timed`: event times are the run's own. */
  see(event: AgentEvent, verdict: Verdict, host: Host | undefined, timed: boolean): void;
  calls: readonly CallSeen[];
}

export function createCallMemory(): CallMemory {
  const calls: CallSeen[] = [];
  const proposed = new Map<string, number>();
  return {
    calls,
    see(event, { seen, step }, host, timed) {
      if (timed && event.type === 'call-proposed')
        keepIn(proposed, event.call.id, event.at, MAX_OPEN);
      if (event.type !== 'call-finished' || calls.length >= MAX) return;
      if (!seen?.call || !seen.result || event.refusedBy === 'unrut' || event.refusedBy === 'user')
        return;
      const { call, result } = seen;
      const since = proposed.get(event.call.id);
      const ms = event.durationMs ?? (since === undefined ? undefined : event.at - since);
      const allow = event.allow ?? permissionFor(event, result.error !== null, host);
      calls.push({
        step,
        tool: redact(event.call.tool),
        label: call.label,
        isShell: call.shell,
        changes: call.effect !== 'none',
        key: call.key,
        digest: result.known ? result.digest : '',
        error: result.error?.label ?? null,
        isUnknownTool: result.error?.refusal === 'tool',
        ...present({ allow, ms }),
      });
    },
  };
}

function permissionFor(
  event: AgentEvent & { type: 'call-finished' },
  failed: boolean,
  host: Host | undefined,
): string | undefined {
  if (!failed && !event.error) return undefined;
  const said = typeof event.error === 'string' ? event.error : textOf(event.result);
  return host?.hooks?.permission?.(event.call, said);
}

/** The host whose transcripts a format reads. */
export const hostOfFormat = (format: string | undefined): Host | undefined =>
  hosts.find(({ transcripts }: Host) => transcripts?.some(({ name }) => name === format));
