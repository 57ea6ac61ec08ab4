import type { Call, Capability, EventBase } from '@unrut/engine/event';
import type { Verdict } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import { ownWordsIn } from '@unrut/engine/recoveries/own-words';
import { type ModelPrice, modelPrice } from '@unrut/reading/prices';
import type { Item, Note, Position, RefusedCall, ResultItem, SaidItem } from './dialect.ts';
import { createJudging, eventBase, sessionNameOf } from './judging.ts';
import {
  type Asked,
  createKnown,
  includes,
  type KnownConversation,
} from './known-conversations.ts';
import type { CheckedOptions, LoopWork } from './options.ts';
import { createPrinter } from './prints.ts';

/** One request, and the actions for it. */
export interface Turn {
  /** To be added to results. */
  notes: Note[];
  /** Ends the run without a request. */
  stop: Plan | null;
  /** A user should be asked, if possible. */
  ask: Plan | null;
  /** Calls of the response may be refused, so a stream has to hold them back. */
  watched: boolean;
  /** The model's answer to this request, or to the same with refusals. */
  conversation: KnownConversation;
  since: number;
  /** The known conversation, for requests that contain only new items. */
  earlier?: Partial<KnownConversation> | undefined;
}

/** What a model answered. */
export interface Answered {
  said: readonly SaidItem[];
  calls: readonly Call[];
  cost?: EventBase['cost'];
  /** Its texts were read in pieces. */
  isStreamed?: boolean;
  /** Its calls belong to the response that was read last. */
  isMore?: boolean;
}

/** The actions for a response. */
export interface Judged {
  refused: RefusedCall[];
  stop: Plan | null;
}

export interface Conversations {
  /** Reads the new items of a history. Never throws; undefined after a fault. */
  before(items: readonly Item[], asked?: Asked): Promise<Turn | undefined>;
  /** Reads a piece of a message that is being streamed. Returns a plan that ends it. */
  during(turn: Turn, piece: SaidItem): Plan | null;
  /** The model failed: the same request may come again. */
  failed(turn: Turn): void;
  /** Reads a response. Never throws. */
  after(turn: Turn, answered: Answered): Promise<Judged>;
  fault(error: unknown): void;
  /** The user's price of the requested model; undefined if there is none. */
  priceOf(turn: Turn): ModelPrice | undefined;
  /** Ends a run: throws if the user wants that, or if a text answer would violate a schema. */
  end(plan: Plan, work: LoopWork, hasSchema?: boolean): void;
}

/** Rungs that a text in a result can carry out, for a request that carries the whole history. */
const TEXTS: readonly string[] = ['note', 'hint', 'escalate'];
const CUTS: readonly string[] = ['block', 'escalate', 'stop'];
const NONE: Judged = { refused: [], stop: null };

const isStable = (item: Item): boolean => item.kind !== 'said';

/**
 * The conversations of a model, each reported to the guard once. `name` is the prefix of their
 * session names. They are mute if results cannot be extended. `refusesEach`: each block becomes the
 * result of its own call, so it is not reported elsewhere. `asks`: the framework itself asks the
 * user on `escalate`.
 */
export function createConversations(
  name: string,
  options: CheckedOptions = {},
  {
    can,
    asks = false,
    isMute = false,
    refusesEach = false,
  }: {
    can?: readonly Capability[];
    asks?: boolean;
    isMute?: boolean;
    refusesEach?: boolean;
  } = {},
): Conversations {
  const { observe, observeNow, isSlow, isResting, fault, tell, performed, end } = createJudging(
    name,
    options,
    { ...(can ? { can } : {}), asks },
  );
  const printOf = createPrinter();
  const known = createKnown(name, options.session);

  /** The plan of a verdict, passed to `onPlan`. */
  function planOf(
    conversation: KnownConversation,
    verdict: Verdict,
    isReplay: boolean,
  ): Plan | null {
    const { plan, shadow, signals } = verdict;
    const { owed } = conversation;
    const about = sessionNameOf(conversation);
    if (isReplay) {
      if (!plan || plan.rung === 'note' || plan.rung === 'hint') return plan;
      owed.set(plan.streak, plan);
      return null;
    }
    if (shadow) tell(shadow, { ...about, shadow: true });
    const due =
      plan ??
      signals
        .map(({ streak }) => owed.get(streak))
        .find((each) => each !== undefined && each.rung !== 'block') ??
      null;
    if (!due) return null;
    owed.delete(due.streak);
    conversation.watched = true;
    tell(due, about);
    return due;
  }

  async function read(items: readonly Item[], asked: Asked): Promise<Turn> {
    const stable = items.filter(isStable);
    const prints = stable.map(printOf);
    const { conversation, from, isShorter } = known.find(prints, asked);
    /** Steps from before this process; if the guard's state is stored, it knows them already. */
    let isReplay = conversation.responses === 0;
    if (isShorter) await shorten(conversation, prints);
    const before = asked.isRest ? conversation.prints : [];
    const offset = before.length;
    const { proposed, refused } = conversation;
    const earlier = asked.isRest ? { prints: before, proposed, refused } : undefined;
    Object.assign(conversation, {
      prints: [...before, ...prints],
      proposed: [],
      refused: [],
      taken: true,
    });
    known.use(conversation);
    const { tools, model = conversation.model } = asked;
    conversation.model = model;
    if (tools && tools.join() !== conversation.tools) {
      conversation.tools = tools.join();
      await observe({
        ...eventBase(conversation),
        type: 'tools-listed',
        tools: tools.map((each) => ({ name: each })),
      });
    }

    const told = `response ${conversation.responses}`;
    const open: { call: Call; batch: string }[] = asked.isRest
      ? proposed.map((call) => ({ call, batch: told }))
      : [];
    const positions = new Map<number, Position>();
    let stop: Plan | null = null;
    let ask: Plan | null = null;
    let place = -1;
    let batch = '';
    let said = 0;
    /** The last model message was reported when it was produced. */
    let isTold = !isReplay;
    for (const item of items) {
      if (item.kind === 'said') {
        if (place + 1 < from || isTold || item.text.trim() === '') continue;
        const { text, channel } = item;
        const id = `${offset + place + 1}.${said++} said`;
        await observe({
          ...eventBase(conversation, id),
          type: 'text-added',
          text,
          channel,
          done: true,
        });
        continue;
      }
      place++;
      said = 0;
      const isNew = place >= from;
      const index = offset + place;
      if (item.kind === 'call') {
        if (batch === '') batch = `earlier ${index}`;
        const wasProposed = includes(proposed, item) || includes(refused, item);
        open.push({ call: item, batch: wasProposed ? told : batch });
        if (isNew && !wasProposed) isTold = false;
        continue;
      }
      batch = '';
      if (item.kind === 'user') {
        if (!isNew) continue;
        isTold = false;
        conversation.stopped = null;
        await observe({
          ...eventBase(conversation, `${index} user`),
          type: 'user-spoke',
          text: item.text,
        });
        continue;
      }
      const match = open.findIndex(({ call }) => item.id === '' || call.id === item.id);
      const of = match === 0 ? open.shift() : match < 0 ? undefined : open.splice(match, 1)[0];
      if (!item.isFixed && (isNew || conversation.notes.has(index))) positions.set(index, item.at);
      if (!isNew || !of || (includes(refused, of.call) && !includes(proposed, of.call))) continue;
      isTold = false;
      const verdict = await observe({
        ...eventBase(conversation, `${index} ${item.id}`),
        ...finished(item, of, tools),
      });
      if ((verdict as { repeated?: boolean }).repeated) {
        isReplay = false;
        conversation.watched = true;
      }
      const plan = planOf(conversation, verdict, isReplay);
      if (!plan) continue;
      if (plan.rung === 'escalate') ask = plan;
      if (plan.rung === 'stop') stop = plan;
      else if (TEXTS.includes(plan.rung) && item.isFixed) conversation.untold.push(plan.toModel);
      else if (TEXTS.includes(plan.rung)) note(conversation, index, plan.toModel);
      await performed(
        conversation,
        plan,
        plan.rung === 'block' || (isMute && plan.rung !== 'escalate'),
      );
    }
    const last = [...positions.keys()].at(-1);
    if (last !== undefined && last >= offset + from && conversation.untold.length > 0)
      note(conversation, last, conversation.untold.splice(0).join('\n\n'));
    if (stop) conversation.stopped = stop;
    const notes = [...conversation.notes].flatMap(([index, text]) => {
      const at = positions.get(index);
      return at ? [{ at, text }] : [];
    });
    return {
      notes,
      stop: conversation.stopped,
      ask,
      watched: conversation.watched,
      conversation,
      since: Date.now(),
      earlier,
    };
  }

  function note({ notes }: KnownConversation, index: number, text: string): void {
    const there = notes.get(index);
    notes.set(index, there === undefined ? text : `${there}\n\n${text}`);
  }

  /**
   * The history was cut, summarised or put in another order: notes stay on results that are still
   * there.
   */
  async function shorten(
    conversation: KnownConversation,
    prints: readonly string[],
  ): Promise<void> {
    const { prints: before, notes } = conversation;
    conversation.notes = new Map();
    let end = before.length;
    for (let i = prints.length - 1; i >= 0; i--) {
      const there = before.lastIndexOf(prints[i]!, end - 1);
      if (end === 0 || there < 0) continue;
      end = there;
      if (notes.has(there)) conversation.notes.set(i, notes.get(there)!);
    }
    if (before.some((print) => !prints.includes(print)))
      await observe({ ...eventBase(conversation), type: 'context-compacted' });
  }

  async function judged(
    turn: Turn,
    { said, calls, cost, isStreamed, isMore }: Answered,
  ): Promise<Judged> {
    const { conversation } = turn;
    const modelMs = Date.now() - turn.since;
    if (!isMore) conversation.responses++;
    const batch = `response ${conversation.responses}`;
    const place = conversation.prints.length;
    let spent: { cost?: EventBase['cost'] } = cost ? { cost } : {};
    let stop: Plan | null = null;
    for (const [i, { text, channel }] of said.entries()) {
      if (text.trim() === '') continue;
      const added = {
        type: 'text-added',
        text: isStreamed && !isSlow() ? '' : text,
        channel,
        done: true,
      } as const;
      const plan = planOf(
        conversation,
        await observe({ ...eventBase(conversation, `${place}.${i} said`), ...spent, ...added }),
        false,
      );
      spent = {};
      if (!plan) continue;
      if (plan.rung === 'stop') stop = plan;
      else conversation.untold.push(plan.toModel);
      await performed(conversation, plan);
    }
    const refused: RefusedCall[] = [];
    for (const [index, call] of calls.entries()) {
      const proposed = { ...eventBase(conversation), ...spent, call, batch };
      spent = {};
      const plan = planOf(
        conversation,
        await observe({ ...proposed, type: 'call-proposed', modelMs }),
        false,
      );
      // A call of no listed tool is the framework's own: an answer in a form, a handover.
      const isOwn = conversation.tools !== '' && !conversation.tools.split(',').includes(call.tool);
      const isRefused = plan?.rung === 'block' && !isOwn;
      if (plan?.rung === 'stop') stop = plan;
      if (plan) await performed(conversation, plan, plan.rung === 'block' && !isRefused);
      if (isRefused) refused.push({ index, call, text: plan.toModel });
      (isRefused ? conversation.refused : conversation.proposed).push(call);
    }
    // When the run ends, none of them runs.
    for (const call of stop ? calls : refused.map((each) => each.call))
      await observe({
        ...eventBase(conversation),
        type: 'call-finished',
        call,
        batch,
        refusedBy: 'unrut',
      });
    if (!refusesEach && refused.length < calls.length)
      conversation.untold.push(...refused.map(({ text }) => text));
    turn.since = Date.now();
    // Without calls the run ends by itself.
    if (!stop || calls.length === 0) return { refused, stop: null };
    conversation.stopped = stop;
    return { refused, stop };
  }

  return {
    async before(items, asked = {}) {
      if (isResting()) return undefined;
      try {
        return await read(items, asked);
      } catch (error) {
        fault(error);
        return undefined;
      }
    },
    during({ conversation }, { text, channel }) {
      try {
        const verdict = observeNow({
          ...eventBase(conversation),
          type: 'text-added',
          text,
          channel,
        });
        const plan = verdict && planOf(conversation, verdict, false);
        if (plan) performed(conversation, plan).catch(fault);
        if (plan && !CUTS.includes(plan.rung)) conversation.untold.push(plan.toModel);
        return plan && CUTS.includes(plan.rung) ? plan : null;
      } catch (error) {
        fault(error);
        return null;
      }
    },
    failed({ conversation, earlier }) {
      Object.assign(conversation, earlier, { taken: false });
    },
    async after(turn, answered) {
      try {
        return await judged(turn, answered);
      } catch (error) {
        fault(error);
        return NONE;
      }
    },
    fault,
    priceOf: ({ conversation }) => modelPrice(options.prices, conversation.model),
    end,
  };
}

/** The end of a call, from its result in a history. */
function finished(
  item: ResultItem,
  { call, batch }: { call: Call; batch: string },
  tools: Asked['tools'],
) {
  const { id, tool, args } = call;
  const { result, error, exitCode, refusedBy } = withoutOwnWords(item);
  const by =
    refusedBy ??
    (error !== undefined && tools && !tools.includes(tool) ? 'unknown-tool' : undefined);
  return {
    type: 'call-finished',
    call: { id, tool, args },
    batch,
    result,
    ...(error === undefined ? {} : { error }),
    ...present({ exitCode, refusedBy: by }),
  } as const;
}

/** An earlier process wrote a refusal in place of the result, or a note after it. */
function withoutOwnWords(item: ResultItem): Partial<ResultItem> {
  const own = typeof item.result === 'string' ? ownWordsIn(item.result) : null;
  if (!own) return item;
  return own.rest === undefined ? { refusedBy: 'unrut' } : { ...item, result: own.rest };
}
