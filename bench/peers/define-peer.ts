import type {
  ActionFinished,
  ActionProposed,
  AgentEvent,
  CallFinished,
  CallProposed,
  RefusedBy,
  TextAdded,
} from '@unrut/engine/event';
import type { Screen } from '@unrut/engine/event-parts';
import { present } from '@unrut/engine/json';
import { canonicalJson } from './call-key.ts';
import { type Alarm, type Peer, strongest } from './peer.ts';

/** A call before it runs. Calls of one model response share a round. */
export interface PeerCall {
  tool: string;
  args: unknown;
  round: string;
}

/** A call and what came back. */
export interface PeerResult extends PeerCall {
  /** Also empty if it was not recorded. */
  result: string;
  recorded: boolean;
  failed: boolean;
  refusedBy?: RefusedBy;
  screen?: Screen;
}

/** A streamed delta or a whole message of the agent. */
export interface PeerText {
  text: string;
  thinking: boolean;
  /** The speaker, in a thread with several. */
  speaker?: string;
  /** The message ends here. */
  done: boolean;
}

type Answer = Alarm | null | undefined;

/** The events that a peer handles. Each handler returns the peer's reaction. */
export interface Eyes {
  call?(call: PeerCall): Answer;
  result?(result: PeerResult): Answer;
  text?(text: PeerText): Answer;
  /** A response was text alone: seen only when something other than a call follows it. */
  textAlone?(): void;
  /** The output of one iteration of an outer loop. */
  output?(output: string): Answer;
  user?(): Answer;
  compaction?(): Answer;
}

/** Creates a peer from its handlers; a screen action is a call whose result is the screen. */
export function definePeer(name: string, open: () => Eyes): Peer {
  return {
    name,
    start() {
      const eyes = open();
      const rounds = new Map<string, string>();
      let spoke = false;
      const call = (seen: PeerCall, id: string): Answer => {
        rounds.set(id, seen.round);
        spoke = false;
        return eyes.call?.(seen);
      };
      const result = (seen: PeerResult, id: string): Answer => {
        const round = rounds.get(id);
        // Some hosts tell of a call only when it is over.
        const before = round === undefined ? call(seen, id) : null;
        rounds.delete(id);
        return strongest(before, eyes.result?.({ ...seen, round: round ?? seen.round }));
      };
      const text = ({ text, channel, done = false, speaker }: TextAdded): Answer => {
        const thinking = channel === 'thinking';
        if (done && !thinking) {
          if (spoke) eyes.textAlone?.();
          spoke = true;
        }
        return eyes.text?.({ text, thinking, done, ...present({ speaker }) });
      };
      const look = (event: AgentEvent): Answer => {
        switch (event.type) {
          case 'call-proposed':
            return call(fromCall(event), event.call.id);
          case 'call-finished':
            return result({ ...fromCall(event), ...outcomeOf(event) }, event.call.id);
          case 'action-proposed':
            return call(fromAction(event), ACTION);
          case 'action-finished':
            return result({ ...fromAction(event), ...effectOf(event) }, ACTION);
          case 'text-added':
            return text(event);
          case 'output-finished':
            return eyes.output?.(event.output);
          case 'user-spoke':
            if (spoke) eyes.textAlone?.();
            spoke = false;
            return eyes.user?.();
          case 'context-compacted':
            return eyes.compaction?.();
        }
      };
      return (event) => look(event) ?? null;
    },
  };
}

/** Actions have no ids: one at a time. */
const ACTION = 'action';

const roundOf = ({ batch, at }: { batch?: string | undefined; at: number }): string =>
  batch ?? `at ${at}`;

function fromCall(event: CallProposed | CallFinished): PeerCall {
  return { tool: event.call.tool, args: event.call.args, round: roundOf(event) };
}

function fromAction(event: ActionProposed | ActionFinished): PeerCall {
  const { type, ...args } = event.action;
  return { tool: type, args, round: roundOf(event) };
}

function outcomeOf({
  result,
  error,
  exitCode,
  refusedBy,
}: CallFinished): Omit<PeerResult, keyof PeerCall> {
  const failed =
    (error !== undefined && error !== null && error !== false) ||
    (exitCode ?? 0) !== 0 ||
    refusedBy !== undefined;
  const shown = result ?? (error === true ? undefined : error);
  return {
    result: asText(shown),
    recorded: shown !== undefined,
    failed,
    ...(refusedBy ? { refusedBy } : {}),
  };
}

function effectOf({ effect, screen }: ActionFinished): Omit<PeerResult, keyof PeerCall> {
  const recorded = effect !== undefined || screen !== undefined;
  return {
    result: recorded ? canonicalJson({ effect, screen }) : '',
    recorded,
    failed: false,
    ...(screen ? { screen } : {}),
  };
}

const asText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : canonicalJson(value);
