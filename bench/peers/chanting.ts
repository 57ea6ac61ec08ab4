/** How a detector of chanted text differs from the others of its family. */
export interface ChantingRule {
  /** Characters of text that are kept. */
  buffer: number;
  /** Characters between two copies, on average, at most. */
  gap: number;
  /** Different texts from one copy to the next, at most. */
  variants: number;
  /** A delta with this in it begins a new text: lists and tables repeat by nature. */
  structure: RegExp;
  /** A delta that consists only of this starts a new text, and is not part of it. */
  divider: RegExp;
}

export interface Chanting {
  /** Whether the text, with this delta, is chanted. */
  add(delta: string): boolean;
  clear(): void;
}

const WINDOW = 50;
const COPIES = 10;

/**
 * The rule of gemini-cli and its descendants: a window of 50 characters that has come ten times,
 * close together.
 */
export function createChanting(rule: ChantingRule): Chanting {
  let text = '';
  /** Characters dropped from the front of `text`. */
  let dropped = 0;
  let scanned = 0;
  let inCode = false;
  let positions = new Map<string, number[]>();

  function clear(): void {
    text = '';
    dropped = 0;
    scanned = 0;
    positions = new Map();
  }

  function shorten(): void {
    const excess = text.length - rule.buffer;
    if (excess <= 0) return;
    text = text.slice(excess);
    dropped += excess;
    scanned = Math.max(scanned, dropped);
    for (const [window, places] of positions) {
      const kept = places.filter((place) => place >= dropped);
      if (kept.length > 0) positions.set(window, kept);
      else positions.delete(window);
    }
  }

  function chanted(places: readonly number[]): boolean {
    if (places.length < COPIES) return false;
    const last = places.slice(-COPIES);
    if ((last.at(-1)! - last[0]!) / (COPIES - 1) > rule.gap) return false;
    const between = new Set(
      last.slice(1).map((place, i) => text.slice(last[i]! - dropped, place - dropped)),
    );
    return between.size <= rule.variants;
  }

  return {
    add(delta) {
      const fences = delta.match(/```/g)?.length ?? 0;
      const isDivider = rule.divider.test(delta.trim());
      if (fences > 0 || isDivider || rule.structure.test(delta)) clear();
      const wasInCode = inCode;
      if (fences % 2 === 1) inCode = !inCode;
      if (wasInCode || inCode || isDivider) return false;
      text += delta;
      shorten();
      for (; scanned + WINDOW <= dropped + text.length; scanned++) {
        const window = text.slice(scanned - dropped, scanned - dropped + WINDOW);
        const places = positions.get(window) ?? [];
        places.push(scanned);
        positions.set(window, places);
        if (chanted(places)) {
          scanned++;
          return true;
        }
      }
      return false;
    },
    clear() {
      clear();
      inCode = false;
    },
  };
}

/** Splits a recorded message into lines, as a stream would have delivered it. */
export const deltasOf = ({ text, done }: { text: string; done: boolean }): string[] =>
  done ? (text.match(/[^\n]*\n|[^\n]+/g) ?? []) : [text];
