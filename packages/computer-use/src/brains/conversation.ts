import { lazily } from '@unrut/engine/lazily';
import type { Proposal, ScreenAction } from '../action.ts';
import type { Brain, Spent, View } from '../brain.ts';
import {
  CUT_OFF,
  ending,
  type ImageLimits,
  NOT_DONE,
  opening,
  pictureOf,
  scaleOf,
} from './prompt.ts';

/** The input of a model service. */
export interface Shown {
  view: View;
  /** Scale of the image relative to the screen, at most 1. */
  scale: number;
  /** The screen, or a part of it, as PNG in base64. */
  picture(region?: readonly number[]): Promise<string>;
}

/** The result of a call. */
export interface CallResult {
  said?: string;
  /** The part of the screen to show; empty for the whole screen. */
  look?: readonly number[];
  /** Neither this call nor any call after it was performed. */
  failed?: true;
}

/** A model's answer: its text and the requested calls. */
export interface ModelAnswer<Call> {
  said: string;
  calls: Call[];
  /** Why it ended early: at the token limit, paused, or for a reason in the service's own words. */
  stop?: 'cut-off' | 'paused' | { reason: string } | undefined;
}

/** The parts that differ between services. */
export interface ModelService<Call, Result> {
  spent: Spent;
  /** The service scales larger images down, which would shift the points. */
  limits?: ImageLimits;
  /**
   * Requests the next answer, with the results of all calls of the last one. `words` may be empty.
   */
  ask(shown: Shown, results: Result[], words: string): Promise<ModelAnswer<Call>>;
  /**
   * The actions of a call in order (none for a mere look), or its result if there is nothing to do.
   */
  read(call: Call, shown: Shown): { actions: ScreenAction[] } | CallResult;
  /** The result of a call in the service's format. Text that does not fit goes to `say`. */
  result(
    call: Call,
    result: CallResult,
    shown: Shown,
    say: (words: string) => void,
  ): Result | Promise<Result>;
  /** Why a call must not run: the service asks for consent, and the user has not given it. */
  objection?(call: Call): Promise<string | undefined>;
}

/** Maximum number of consecutive answers without an action. */
const MAX_IDLE = 6;
const IDLE = 'FAILED: the model only looked at the screen and did nothing.';

/** A brain that talks to a service one action at a time. Every call gets exactly one result. */
export function createConversation<Call, Result>(service: ModelService<Call, Result>): Brain {
  let isOpened = false;
  /** The current call, its remaining actions, and the remaining calls of the same answer. */
  let made: Call | undefined;
  let actions: ScreenAction[] = [];
  let waiting: Call[] = [];
  let results: Result[] = [];
  let notes: string[] = [];

  async function finish(call: Call, result: CallResult, shown: Shown): Promise<void> {
    results.push(await service.result(call, result, shown, (words) => notes.push(words)));
    if (result.failed) await dropWaiting(shown);
  }

  async function dropWaiting(shown: Shown): Promise<void> {
    const call = waiting.shift();
    if (call !== undefined) await finish(call, { said: NOT_DONE, failed: true }, shown);
  }

  async function next(shown: Shown): Promise<ModelAnswer<Call>> {
    const said = isOpened ? notes.join(' ') : opening(shown.view);
    const words = said || (results.length === 0 ? 'Go on.' : '');
    const answered = results;
    [isOpened, results, notes] = [true, [], []];
    const answer = await service.ask(shown, answered, words);
    waiting = [...answer.calls];
    return answer;
  }

  return {
    spent: service.spent,
    async propose(view): Promise<Proposal> {
      const scale = service.limits ? scaleOf(view.viewport, service.limits) : 1;
      const whole = lazily(() => pictureOf(view, scale));
      const shown: Shown = {
        view,
        scale,
        picture: (region = []) => (region.length === 0 ? whole() : pictureOf(view, scale, region)),
      };
      if (view.feedback) {
        if (made === undefined) notes.push(view.feedback);
        else await finish(made, { said: view.feedback, look: [] }, shown);
        // The remaining actions were meant for another screen.
        [made, actions] = [undefined, []];
        await dropWaiting(shown);
      }
      const further = actions.shift();
      if (further) return { action: further, reasoning: '' };
      let reasoning = '';
      for (let idle = 0; idle < MAX_IDLE; ) {
        if (made !== undefined) await finish(made, waiting.length === 0 ? { look: [] } : {}, shown);
        made = undefined;
        if (waiting.length === 0) {
          const { said, stop } = await next(shown);
          reasoning = said;
          idle++;
          if (stop) await dropWaiting(shown);
          if (typeof stop === 'object')
            return ending(`FAILED: the model stopped (${stop.reason}). ${said}`);
          if (stop === 'cut-off') notes.push(CUT_OFF);
          if (stop) continue;
          if (waiting.length === 0) return ending(said);
        }
        const call = waiting.shift()!;
        const objection = await service.objection?.(call);
        if (objection !== undefined) return ending(`FAILED: ${objection}`);
        const meaning = service.read(call, shown);
        if (!('actions' in meaning)) await finish(call, meaning, shown);
        else {
          const [action, ...others] = meaning.actions;
          [made, actions] = [call, others];
          if (action) return { action, reasoning };
        }
      }
      return ending(IDLE);
    },
  };
}
