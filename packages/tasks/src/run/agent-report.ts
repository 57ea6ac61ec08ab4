import { runnableHosts } from '@unrut/agents/hosts';
import type { CommandReport } from '@unrut/agents/hosts/command';
import { isObject, parsed } from '@unrut/engine/json';
import { BoundedText } from '@unrut/ledger/processes/bounded-text';

/** A longer line cannot be a record. */
const MAX_LINE_LENGTH = 4_000_000;

/**
 * Reads an agent's output as it is printed. JSON records of known agents become text for the
 * screen, plus facts about the agent; other output passes unchanged.
 */
export class AgentReport {
  readonly #answer = new BoundedText();
  readonly #sum = { tokens: 0, usd: 0 };
  #usdSoFar = 0;
  #isRecognised = false;
  #failed: string | undefined;
  #conversation: string | undefined;
  /** The part of a line that may still become a record. */
  #held = '';
  /** The rest of this line cannot be a record. */
  #isPlain = false;

  /** Adds a piece of output. Returns what the screen should show. */
  add(text: string): string {
    let shown = '';
    const lines = text.split('\n');
    for (const [i, line] of lines.entries()) {
      const isWhole = i < lines.length - 1;
      if (!this.#isPlain) this.#held += line;
      this.#isPlain ||= this.#held.length > MAX_LINE_LENGTH || !/^\s*(?:[{[]|$)/.test(this.#held);
      if (this.#isPlain) {
        shown += (this.#held || line) + (isWhole ? '\n' : '');
        this.#held = '';
      } else if (isWhole) shown += this.#line();
      if (isWhole) this.#isPlain = false;
    }
    return shown;
  }

  /**
   * Ends the output. `output` is what was kept of it; a document of several lines is complete only
   * now. Returns what is left to show.
   */
  end(output: string): string {
    const left = this.#held === '' ? '' : this.#line();
    if (!this.#isRecognised && /^[{[]/.test(output.trimStart())) this.#take(parsed(output));
    return left;
  }

  /** The agent's last message, if the format marks it. */
  get answer(): string | undefined {
    return this.#isRecognised ? this.#answer.text : undefined;
  }

  get cost(): { tokens?: number; usd?: number } {
    const usd = this.#sum.usd + this.#usdSoFar;
    return {
      ...(this.#sum.tokens > 0 ? { tokens: this.#sum.tokens } : {}),
      ...(usd > 0 ? { usd } : {}),
    };
  }

  /** The id of the conversation, for resuming it. */
  get conversation(): string | undefined {
    return this.#conversation;
  }

  /** The failure that the agent itself reported. */
  get failed(): string | undefined {
    return this.#failed;
  }

  #line(): string {
    const line = this.#held;
    this.#held = '';
    return this.#take(parsed(line)) ?? `${line}\n`;
  }

  /** The screen text of a record; undefined if it is not a record. */
  #take(record: unknown): string | undefined {
    if (Array.isArray(record)) {
      const shown = record.map((each) => this.#take(each));
      return shown.some((each) => each !== undefined) ? shown.join('') : undefined;
    }
    if (!isObject(record)) return undefined;
    for (const { command } of runnableHosts) {
      const told = command.report(record);
      if (told) return this.#hear(told);
    }
    return undefined;
  }

  #hear({
    says,
    isMore = false,
    does,
    cost,
    usdSoFar,
    failed,
    conversation,
  }: CommandReport): string {
    this.#isRecognised = true;
    const isRepeated = says !== undefined && says === this.#answer.text;
    if (says && !isRepeated) {
      if (!isMore) this.#answer.clear();
      this.#answer.add(says);
    }
    // After an action, the next text is a new answer.
    if (does) this.#answer.clear();
    this.#sum.tokens += cost?.tokens ?? 0;
    this.#sum.usd += cost?.usd ?? 0;
    if (usdSoFar !== undefined) this.#usdSoFar = usdSoFar;
    if (failed !== undefined) this.#failed = failed;
    this.#conversation = conversation ?? this.#conversation;
    const words = says && !isRepeated ? (isMore ? says : `${says}\n`) : '';
    return words + (does ? `· ${does.split('\n', 1)[0]}\n` : '');
  }
}
