import type { AgentEvent, Call } from '@unrut/engine/event';
import type { Annotations, ListedTool } from '@unrut/engine/event-parts';
import type { Verdict } from '@unrut/engine/guard';
import { isObject } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import { keepIn } from '@unrut/engine/recent';
import { messageText } from '@unrut/reading/message-content';
import { annotationsOf, argumentsOf, type CallReturned } from './tool-call.ts';
import { type Notes, notesOf } from './write-note.ts';

/** The tools' own annotations, from the lists seen so far. Shared by all clients of a server. */
export type KnownTools = Map<string, Omit<ListedTool, 'name'>>;

/** Around a conversation. */
export interface ProxySurroundings {
  /** Whose calls these are. */
  session: string;
  tools: KnownTools;
  /** How notes are put into results; `auto`: as the client needs it. */
  notes: Notes | 'auto';
  /** The text behind a link in a result, when it can be read here. Never throws. */
  readLinked?(path: string): string | undefined;
  /** Shows an event to the guard, and records it. Never throws. */
  observe(event: AgentEvent): Verdict;
  /** Records what went wrong. Never throws. */
  fault(session: string, error: unknown): void;
  /** Epoch milliseconds. */
  now(): number;
}

/** A call on its way. */
export interface OpenCall {
  call: Call;
  batch: string;
  annotations: Annotations;
  startedAt: number;
}

const MAX_TOOLS = 10_000;
/** Max number of tasks; those not polled for longest are dropped first. */
const MAX_TASKS = 1000;

/**
 * One client's calls of one server: which are made together, which have become tasks, and what the
 * guard receives them.
 */
export class McpConversation {
  /** How notes are put into results of this client. */
  notes: Notes;
  readonly #around: ProxySurroundings;
  /** Calls that continue as tasks, by the task's id. */
  readonly #tasks = new Map<string, OpenCall>();
  #calls = 0;
  /** Calls of one response: how many of them are open, and since when. */
  #batch = { number: 0, open: 0, since: 0 };
  #planned = false;
  /**
   * The number of tools reported to the guard. They are reported with the first call, since not
   * every client that lists tools calls one.
   */
  #listed = 0;

  constructor(around: ProxySurroundings) {
    this.#around = around;
    this.notes = around.notes === 'auto' ? notesOf('') : around.notes;
  }

  /** Stores the client's name. */
  meet(client: string): void {
    if (this.#around.notes === 'auto') this.notes = notesOf(client);
  }

  /**
   * No plan has been made. The first is never a refusal: that needs a streak which has been
   * answered with less.
   */
  get isCalm(): boolean {
    return !this.#planned;
  }

  nextCallId(): string {
    return String(++this.#calls);
  }

  /** Opens a call. Calls that overlap belong together. */
  open(call: Call, declared: Annotations): OpenCall {
    const annotations = { ...this.#around.tools.get(call.tool)?.annotations, ...declared };
    const startedAt = this.#around.now();
    const batch = this.#batch;
    if (batch.open <= 0 || startedAt - batch.since > AT_ONCE)
      this.#batch = { number: batch.number + 1, open: 0, since: startedAt };
    return { call, annotations, batch: String(this.#batch.number), startedAt };
  }

  propose({ call, batch, annotations }: OpenCall): Verdict {
    this.#batch.open++;
    if (this.#around.tools.size !== this.#listed) {
      this.#listed = this.#around.tools.size;
      const tools = [...this.#around.tools].map(([name, said]) => ({ name, ...said }));
      this.#observe({ type: 'tools-listed', tools });
    }
    return this.#observe({ type: 'call-proposed', call, batch, annotations });
  }

  finish({ call, batch, annotations, startedAt }: OpenCall, returned: CallReturned): Verdict {
    if (batch === String(this.#batch.number)) this.#batch.open--;
    const durationMs = this.#around.now() - startedAt;
    return this.#observe({
      type: 'call-finished',
      call,
      batch,
      annotations,
      durationMs,
      ...withLinked(returned, this.#around.readLinked),
    });
  }

  performed({ id, rung }: Plan, failed = false): void {
    this.#observe({ type: 'plan-performed', plan: id, rung, ...(failed ? { failed } : {}) });
  }

  /** Something of ours went wrong, and the message passed as it was. */
  fault(error: unknown): void {
    this.#around.fault(this.#around.session, error);
  }

  /**
   * Ends the conversation. One without calls is not recorded: clients also start servers only to
   * list their tools.
   */
  end(outcome: string): void {
    if (this.#calls > 0) this.#observe({ type: 'session-ended', outcome });
  }

  keepTask(id: string, open: OpenCall): void {
    keepIn(this.#tasks, id, open, MAX_TASKS);
  }

  taskCalled(id: string): OpenCall | undefined {
    return this.#tasks.get(id);
  }

  endTask(id: string): void {
    this.#tasks.delete(id);
  }

  /** Takes in a page of the server's list of tools. */
  learnTools(result: unknown): void {
    if (!isObject(result) || !Array.isArray(result.tools)) return;
    for (const tool of result.tools) {
      if (!isObject(tool) || typeof tool.name !== 'string' || this.#around.tools.size >= MAX_TOOLS)
        continue;
      this.#around.tools.set(tool.name, { annotations: annotationsOf(tool), ...argumentsOf(tool) });
    }
  }

  #observe(event: Happening): Verdict {
    const verdict = this.#around.observe({
      session: this.#around.session,
      at: this.#around.now(),
      ...event,
    } as AgentEvent);
    if (verdict.plan) this.#planned = true;
    return verdict;
  }
}

/** Milliseconds in which a client sends the calls of one response. */
const AT_ONCE = 2000;

/** A page that a result only links to. */
const LINKED = /\[Snapshot\]\(([^()\n]{1,500})\)/;

/**
 * Content behind a link belongs to the result. If it cannot be read here, the result counts as
 * unknown.
 */
function withLinked(
  { result, ...rest }: CallReturned,
  readLinked: ProxySurroundings['readLinked'],
): CallReturned {
  const link =
    typeof result === 'string' || Array.isArray(result) ? LINKED.exec(messageText(result)) : null;
  if (!link) return { ...(result === undefined ? {} : { result }), ...rest };
  const page = readLinked?.(link[1]!);
  // References are numbered again with every page that is loaded.
  const text = page?.replace(/ \[ref=\w+\]/g, '');
  return text === undefined
    ? rest
    : { result: messageText(result).replace(link[0], () => `\`\`\`yaml\n${text}\`\`\``), ...rest };
}

/** An event but for whose it is and when. */
type Happening = AgentEvent extends infer Event
  ? Event extends AgentEvent
    ? Omit<Event, 'session' | 'at'>
    : never
  : never;
