import type { ActionFinished, CallFinished } from '../event.ts';
import { hash64 } from '../hash.ts';
import { push, recall } from '../recent.ts';
import { readActionPrint, sameFrame } from './action.ts';
import type { Fingerprint } from './fingerprint.ts';
import { tag } from './gist.ts';
import { NOVEL_FROM } from './progress/rules.ts';
import { readAction } from './read-call.ts';
import { readResult } from './read-result.ts';
import type { ReaderConfig, ReaderState } from './reader-state.ts';
import { noteSilence } from './waits.ts';

/** A screen has one pending action at a time. */
export const PROPOSED_ACTION = 'action';
const MAX_ACTIONS = 12;
const MAX_SCREENS = 48;

/**
 * Reads a screen action as a call whose result is the screen after it, or the effect that the
 * runner reported.
 */
export function readActionFinished(
  state: ReaderState,
  event: ActionFinished,
  seen: Fingerprint,
  { seed }: ReaderConfig,
): void {
  const call = readAction(event, event.id ?? '', seed);
  const action = readActionPrint(event, call, state.frames, seed);
  const planStep = event.planStep === undefined ? '' : hash64(String(event.planStep), seed);
  if (planStep !== state.planStep) Object.assign(state, { planStep, actions: [] });
  push(state.actions, action, MAX_ACTIONS);
  seen.actions = [...state.actions];
  const result = resultOf(state, event, seed);
  seen.call = call;
  seen.announced = recall(state.pending, PROPOSED_ACTION) !== undefined;
  if (seen.announced) state.pending.pop();
  if (state.screen.length > 0) seen.screen = state.screen;
  seen.batch = `@${event.at}`;
  noteSilence(state, seen);
  const asCall: CallFinished = {
    type: 'call-finished',
    session: '',
    at: event.at,
    call: { id: call.id, tool: call.tool, args: null },
    result,
  };
  seen.result = readResult(state.results, state.known, asCall, call, state.rests, seed);
  if (call.verb === 'wait') Object.assign(seen, { neutral: 'wait', neutralRule: 'wait' });
  const isNew = isNewScreen(state, action.state);
  if (isNew || (event.effect !== undefined && seen.result.novelty >= NOVEL_FROM))
    Object.assign(seen, {
      progress: 'screen',
      progressRule: isNew ? 'new-screen' : 'new-effect',
    });
}

/** The screen after the action, or the effect that the runner reported. */
function resultOf(state: ReaderState, { screen, effect }: ActionFinished, seed: number): unknown {
  const { url, frame, detail } = screen ?? {};
  const picture =
    detail ?? (frame === undefined ? undefined : sameFrame(frame, state.frames, seed));
  // In letters, because digits may count as noise.
  const shown = picture === undefined ? undefined : `${url ?? ''} ${tag(picture)}`;
  return detail === undefined ? (effect ?? shown) : shown;
}

function isNewScreen({ screens }: ReaderState, shown: string | null): boolean {
  if (shown === null || screens.includes(shown)) return false;
  push(screens, shown, MAX_SCREENS);
  return true;
}
