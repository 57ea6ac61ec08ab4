/** The beginning and the end of a text of any length, in little memory. */
export class BoundedText {
  readonly #headRoom: number;
  readonly #tailRoom: number;
  #head = '';
  #tail = '';
  #isCut = false;

  constructor(head = 16_000, tail = 48_000) {
    this.#headRoom = head;
    this.#tailRoom = tail;
  }

  add(text: string): void {
    const free = this.#headRoom - this.#head.length;
    this.#head += text.slice(0, Math.max(0, free));
    this.#tail += text.slice(Math.max(0, free));
    // Cut now and then only: to do it at each piece would copy the tail as often.
    if (this.#tail.length > 2 * this.#tailRoom) this.#cut();
  }

  clear(): void {
    this.#head = '';
    this.#tail = '';
    this.#isCut = false;
  }

  get text(): string {
    if (this.#tail.length > this.#tailRoom) this.#cut();
    return this.#isCut ? `${this.#head}\n…\n${this.#tail}` : this.#head + this.#tail;
  }

  #cut(): void {
    this.#tail = this.#tail.slice(-this.#tailRoom);
    this.#isCut = true;
  }
}
