import type { CommandPart } from './combine.ts';

/**
 * The last part that is neither an echo nor a fallback. In a pipeline, the first part that does
 * more than feed the next.
 */
export function mainOf(parts: readonly CommandPart[]): CommandPart | null {
  let main: CommandPart | null = null;
  let rank = -9;
  for (let i = 0; i < parts.length; ) {
    let fallback = false;
    let head: CommandPart | null = null;
    let own = -1;
    for (let first = true; i < parts.length; i++) {
      const part = parts[i]!;
      if (part.command.depth > 0) continue;
      if (first) fallback = part.command.joint === '||';
      else if (part.command.joint !== '|') break;
      first = false;
      const weight = importance(part);
      if (weight > own || (weight === own && part.run?.name === 'xargs')) {
        head = part;
        own = weight;
      }
    }
    // A source that feeds a pipeline counts like any other part: only echoes, waits and fallbacks
    // leave the earlier part as the main one.
    const settled = Math.min(own, FEEDS) - (fallback ? 4 : 0);
    if (head !== null && settled >= Math.min(rank, FEEDS)) {
      main = head;
      rank = settled;
    }
  }
  return main ?? parts[0] ?? null;
}

const FEEDS = 2;

/**
 * 0 for an echo or a limiter, 1 for a wait, 2 for a source that feeds the next, 3 for anything
 * else.
 */
function importance({ deed: done }: CommandPart): number {
  if (done.verb === 'wait') return 1;
  if (done.role === 'limiter' || done.role === 'silent' || done.verb === 'nothing') return 0;
  return done.role === 'source' ? FEEDS : 3;
}
