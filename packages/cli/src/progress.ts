/** A bar for long work. */
export interface ProgressLine {
  show(done: number, all: number): void;
  clear(): void;
}

/** Shorter work needs no bar. */
const TIMEOUT_MS = 500;
const EVERY = 100;
const CELLS = 24;

/** Draws only on a terminal. */
export function createProgress(stream: NodeJS.WriteStream): ProgressLine {
  const started = Date.now();
  let shown = 0;
  return {
    show(done, all) {
      const now = Date.now();
      if (!stream.isTTY || all === 0 || now - started < TIMEOUT_MS || now - shown < EVERY) return;
      shown = now;
      const share = Math.min(1, done / all);
      const filled = Math.round(share * CELLS);
      stream.write(
        `\r${'█'.repeat(filled)}${'░'.repeat(CELLS - filled)} ${Math.round(share * 100)}% of ${Math.ceil(all / 1e6)} MB`,
      );
    },
    clear() {
      if (shown > 0) stream.write('\r\u001b[2K');
    },
  };
}
