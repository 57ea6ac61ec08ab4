import { runnableHosts } from '@unrut/agents/hosts';
import type { CommandReport } from '@unrut/agents/hosts/command';
import { isObject, parsed } from '@unrut/engine/json';
import { BoundedText } from '@unrut/ledger/processes/bounded-text';

/** A longer line is no record that anybody reads. */
const MAX_LINE_LENGTH = 4_000_000;

/**
 * Reads what an agent prints while it prints it: where it is JSON of an agent that is known, in
 * words for the screen, with what it says of itself; anything else as it is.
 */
export class AgentReport {
  readonly #answer = new BoundedText();
  readonly #sum = { tokens: 0, usd: 0 };
  #usdSoFar = 0;
  #isRecognised = false;
  #failed: string | undefined;
  #conversation: string | undefined;
  /** The part of a line that may become a record. */
  #held = '';
  /** The rest of this line has no chance to be one. */
  #isPlain = false;

  /** Takes a piece of output, and gives what the screen should show. */
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
   * Everything was printed. `output` is what was kept of it: a document over several lines is only
   * now complete. Gives what is left to show.
   */
  end(output: string): string {
    const left = this.#held === '' ? '' : this.#line();
    if (!this.#isRecognised && /^[{[]/.test(output.trimStart())) this.#take(parsed(output));
    return left;
  }

  /** The agent's last words, where it says which those are. */
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

  /** The conversation that it can be resumed in. */
  get conversation(): string | undefined {
    return this.#conversation;
  }

  /** Why the agent says that it has failed. */
  get failed(): string | undefined {
    return this.#failed;
  }

  #line(): string {
    const line = this.#held;
    this.#held = '';
    return this.#take(parsed(line)) ?? `${line}\n`;
  }

  /** What a record says to the screen; nothing when it is no record. */
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
    // After an action the next words are a new answer.
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
