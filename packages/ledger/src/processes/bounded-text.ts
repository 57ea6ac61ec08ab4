const MAX_HEAD = 16_000;
const MAX_TAIL = 48_000;

/** Keeps the beginning and the end of a text of any length, in bounded memory. */
export class BoundedText {
  #head = '';
  #tail = '';
  #isCut = false;

  add(text: string): void {
    const free = MAX_HEAD - this.#head.length;
    this.#head += text.slice(0, Math.max(0, free));
    this.#tail += text.slice(Math.max(0, free));
    // Cutting at each piece would copy the tail each time.
    if (this.#tail.length > 2 * MAX_TAIL) this.#cut();
  }

  clear(): void {
    this.#head = '';
    this.#tail = '';
    this.#isCut = false;
  }

  get text(): string {
    if (this.#tail.length > MAX_TAIL) this.#cut();
    return this.#isCut ? `${this.#head}\n…\n${this.#tail}` : this.#head + this.#tail;
  }

  #cut(): void {
    this.#tail = this.#tail.slice(-MAX_TAIL);
    this.#isCut = true;
  }
}
