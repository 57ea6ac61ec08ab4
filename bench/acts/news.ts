import type { CallFinished } from '@unrut/engine/event';
import { textOf } from '@unrut/engine/json';

/** More of a result's lines than this must never have been seen, for the result to be new. */
const NEW_LINES = 0.1;

/**
 * Judges the news in a recorded result, by its text alone and without the guard's idea of sameness.
 */
export function createNews() {
  const lines = new Set<string>();
  const results = new Map<string, Set<string>>();
  return {
    /**
     * The new part of it; null for an error, a result that this call has returned before, or lines
     * that were seen.
     */
    of({ call, result, error, exitCode }: CallFinished): string | null {
      const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
      const key = `${call.tool} ${JSON.stringify(call.args)}`;
      const before = results.get(key) ?? new Set();
      results.set(key, before);
      const isKnown = before.has(text);
      before.add(text);
      const own = text.split('\n').map((line) => line.trim());
      const fresh = own.filter((line) => line !== '' && !lines.has(line));
      for (const line of own) lines.add(line);
      const failed = Boolean(error) || (exitCode ?? 0) !== 0;
      if (failed || isKnown || fresh.length <= NEW_LINES * own.length) return null;
      return `${fresh.length} of ${own.length} lines: ${textOf(fresh[0]).slice(0, 80)}`;
    },
  };
}
