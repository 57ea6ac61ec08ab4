import type { AgentEvent, Call, EventBase } from '@unrut/engine/event';
import type { Verdict } from '@unrut/engine/guard';
import { isObject, type JsonObject, listOf, textOf } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import { keepIn } from '@unrut/engine/recent';
import { toOperator } from '@unrut/ledger/more-about';
import { acpCall, acpReturned, acpShown } from '@unrut/reading/acp-call';
import { messageText } from '@unrut/reading/message-content';

/** A session's connections to both sides. */
export interface AcpSides {
  observe(event: AgentEvent, hasInputs: boolean): Verdict;
  toAgent(message: JsonObject): void;
  toEditor(message: JsonObject): void;
  /** Begins a request of our own. */
  nextId(): string;
  /** Called with each plan. */
  told(plan: Plan, session: string): void;
  now(): number;
  /** Somebody sits at the editor, and can be asked. */
  attended: boolean;
}

/** A call as the agent has shown it so far. */
interface ShownCall {
  told: JsonObject;
  call: Call;
  batch: string | null;
  hasEnded: boolean;
}

/** A turn of the editor, and what we do in it. */
interface AcpTurn {
  /** The editor's request, or our own that continues with it. */
  asked: unknown;
  editor: unknown;
  isCancelled: boolean;
}

const MAX_CALLS = 200;

/** One session between an editor and its agent. */
export class AcpSession {
  readonly #id: string;
  readonly #sides: AcpSides;
  readonly #calls = new Map<string, ShownCall>();
  #turn: AcpTurn | undefined;
  #batch: string | null = null;
  /** Questions to a person that have no answer yet, ours included. */
  #questions = new Set<unknown>();
  /** Waits until no question is open: what to tell the agent, or null to stop it. */
  #due: { words: string | null } | undefined;
  /** The text for the agent after it has confirmed our cancellation. */
  #words: string | undefined;
  /** Streaks in which it was steered. */
  readonly #steered = new Set<string>();
  #hasInputs = true;

  constructor(id: string, sides: AcpSides) {
    this.#id = id;
    this.#sides = sides;
  }

  /** Whether an answer of the agent ends the editor's turn. */
  isTurn = (id: unknown): boolean => this.#turn?.asked === id;

  prompted(id: unknown, prompt: unknown): void {
    this.#turn = { asked: id, editor: id, isCancelled: false };
    this.#due = undefined;
    this.#words = undefined;
    this.#batch = null;
    this.#observe({ ...this.#base(), type: 'user-spoke', text: messageText(prompt) });
  }

  /** A person cancels: nothing of ours comes after it. */
  cancelled(): void {
    if (this.#turn) this.#turn.isCancelled = true;
    this.#due = undefined;
    this.#words = undefined;
    this.#questions.clear();
  }

  updated(update: JsonObject): void {
    const kind = update.sessionUpdate;
    if (kind === 'tool_call' || kind === 'tool_call_update') this.#callShown(update);
    if (kind !== 'agent_message_chunk' && kind !== 'agent_thought_chunk') return;
    const text = messageText(update.content);
    const channel = kind === 'agent_message_chunk' ? 'answer' : 'thinking';
    if (text !== '')
      this.#plan(this.#observe({ ...this.#base(), type: 'text-added', text, channel }));
  }

  /**
   * The agent asks for permission. Returns the answer if the call is blocked, in which case the
   * user is not asked.
   */
  asked(id: unknown, { toolCall, options }: JsonObject): JsonObject | undefined {
    const reject = listOf(options).find(
      (option) => isObject(option) && option.kind === 'reject_once',
    );
    const shown = isObject(toolCall) ? this.#shown(toolCall) : undefined;
    const plan = shown && this.#propose(shown);
    if (plan?.rung !== 'block' || !reject) {
      if (plan) this.#perform(plan, plan.rung === 'block');
      this.#questions.add(id);
      return undefined;
    }
    this.#perform(plan);
    shown!.hasEnded = true;
    const { call, batch } = shown!;
    this.#observe({
      ...this.#base(call.id, 'call-finished'),
      type: 'call-finished',
      call,
      batch: batch!,
      refusedBy: 'unrut',
    });
    this.#batch = null;
    return { outcome: { outcome: 'selected', optionId: (reject as JsonObject).optionId } };
  }

  /** A person has answered. True when the question was ours. */
  answered(id: unknown, result: unknown): boolean {
    if (!this.#questions.delete(id)) return false;
    const isOurs = this.#ours?.id === id;
    if (isOurs) {
      const chosen =
        isObject(result) && isObject(result.outcome) ? result.outcome.optionId : undefined;
      const { plan } = this.#ours!;
      this.#ours = undefined;
      this.#observe({ ...this.#base(), type: 'user-spoke' });
      if (chosen === 'tell') this.#due = { words: plan.toModel };
      if (chosen === 'stop') this.#due = { words: null };
    }
    this.#doWhatIsDue();
    return isOurs;
  }

  /**
   * The agent has ended the turn. Returns the message for the editor; undefined if the agent was
   * given further work.
   */
  ended(message: JsonObject): JsonObject | undefined {
    const turn = this.#turn!;
    if (this.#words !== undefined && !turn.isCancelled) {
      turn.asked = this.#sides.nextId();
      const prompt = [{ type: 'text', text: this.#words }];
      this.#words = undefined;
      this.#sides.toAgent({
        jsonrpc: '2.0',
        id: turn.asked,
        method: 'session/prompt',
        params: { sessionId: this.#id, prompt },
      });
      return undefined;
    }
    this.#turn = undefined;
    this.#due = undefined;
    return turn.asked === turn.editor ? message : { ...message, id: turn.editor };
  }

  #ours: { id: string; plan: Plan } | undefined;

  #base(name?: string, type?: string): EventBase {
    return {
      session: this.#id,
      at: this.#sides.now(),
      ...(name === undefined ? {} : { id: `${this.#id} ${name} ${type}` }),
    };
  }

  #observe(event: AgentEvent): Verdict {
    return this.#sides.observe(event, this.#hasInputs);
  }

  #shown(update: JsonObject): ShownCall {
    const id = textOf(update.toolCallId);
    const begun: ShownCall = {
      told: {},
      call: { id, ...acpCall({}) },
      batch: null,
      hasEnded: false,
    };
    const shown = this.#calls.get(id) ?? keepIn(this.#calls, id, begun, MAX_CALLS);
    if (shown.batch !== null) return shown;
    shown.told = acpShown(shown.told, update);
    shown.call = { id, ...acpCall(shown.told) };
    return shown;
  }

  #callShown(update: JsonObject): void {
    const shown = this.#shown(update);
    const { status } = update;
    const hasEnded = status === 'completed' || status === 'failed';
    if (shown.hasEnded || (!hasEnded && status !== 'in_progress')) return;
    // Agents may show a call before its arguments are known.
    if (!hasEnded && !isObject(update.rawInput)) return;
    const plan = this.#propose(shown);
    if (plan) this.#perform(plan, plan.rung === 'block');
    if (!hasEnded) return;
    shown.hasEnded = true;
    this.#batch = null;
    // The effects of our own cancellation on a call say nothing about it.
    if (this.#words !== undefined || this.#turn?.isCancelled) return;
    const { call, batch } = shown;
    const returned = acpReturned(update);
    this.#plan(
      this.#observe({
        ...this.#base(call.id, 'call-finished'),
        type: 'call-finished',
        call,
        batch: batch!,
        ...returned,
      }),
    );
  }

  /** Reports a call once. */
  #propose(shown: ShownCall): Plan | null {
    if (shown.batch !== null) return null;
    const { call } = shown;
    this.#batch ??= call.id;
    shown.batch = this.#batch;
    this.#hasInputs = !(isObject(call.args) && Object.keys(call.args).join() === 'title');
    const { plan } = this.#observe({
      ...this.#base(call.id, 'call-proposed'),
      type: 'call-proposed',
      call,
      batch: shown.batch,
    });
    return plan;
  }

  #plan({ plan }: Verdict): void {
    if (plan) this.#perform(plan, plan.rung === 'block');
  }

  #perform(plan: Plan, failed = false): void {
    this.#sides.told(plan, this.#id);
    const { id, rung, streak } = plan;
    const isLate = !this.#turn || this.#turn.isCancelled;
    this.#observe({
      ...this.#base(),
      type: 'plan-performed',
      plan: id,
      rung,
      ...(failed || isLate ? { failed: true } : {}),
    });
    if (isLate || failed) return;
    if (rung === 'note') this.#show(plan.toHuman, 'agent_thought_chunk');
    else if (rung === 'hint' && !this.#steered.has(streak)) {
      this.#steered.add(streak);
      this.#due ??= { words: plan.toModel };
    } else if (rung === 'escalate' && this.#sides.attended) this.#ask(plan);
    else if (rung === 'escalate') this.#due ??= { words: plan.toModel };
    else if (rung === 'stop') {
      this.#due = { words: null };
      this.#show(toOperator(plan), 'agent_message_chunk');
    }
    this.#doWhatIsDue();
  }

  #doWhatIsDue(): void {
    if (!this.#due || this.#questions.size > 0 || !this.#turn || this.#words !== undefined) return;
    const { words } = this.#due;
    this.#due = undefined;
    if (words === null) this.#turn.isCancelled = true;
    else this.#words = words;
    this.#sides.toAgent({
      jsonrpc: '2.0',
      method: 'session/cancel',
      params: { sessionId: this.#id },
    });
  }

  /** A question of our own. */
  #ask(plan: Plan): void {
    if (this.#ours) return;
    const id = this.#sides.nextId();
    this.#ours = { id, plan };
    this.#questions.add(id);
    const toolCall = { toolCallId: id, title: toOperator(plan), kind: 'other', status: 'pending' };
    const params = { sessionId: this.#id, toolCall, options: OPTIONS };
    this.#sides.toEditor({ jsonrpc: '2.0', id, method: 'session/request_permission', params });
  }

  #show(text: string, sessionUpdate: string): void {
    const update = { sessionUpdate, content: { type: 'text', text: `\n${text}\n` } };
    this.#sides.toEditor({
      jsonrpc: '2.0',
      method: 'session/update',
      params: { sessionId: this.#id, update },
    });
  }
}

const OPTIONS = [
  { optionId: 'continue', name: 'Let it continue', kind: 'allow_once' },
  { optionId: 'tell', name: 'Tell it to try something else', kind: 'allow_always' },
  { optionId: 'stop', name: 'Stop it', kind: 'reject_once' },
];
