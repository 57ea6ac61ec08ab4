/**
 * The notes in which an orchestrator records its team's progress (AutoGen's Magentic-One,
 * Microsoft's Agent Framework): a bare value, or an answer with a reason.
 */
const NOTE =
  /"is_(in_loop|progress_being_made)"\s*:\s*(?:\{[^{}]{0,4096}?"answer"\s*:\s*)?(true|false)/g;

/**
 * Whether an agent's own record says that it is in a loop and makes no progress; null if there is
 * no such record.
 */
export function reportsLoop(text: string): boolean | null {
  if (!text.includes('"is_in_loop"')) return null;
  let inLoop: boolean | null = null;
  let getsOn = false;
  for (const [, about, answer] of text.matchAll(NOTE)) {
    if (about === 'in_loop') inLoop = answer === 'true';
    else getsOn = answer === 'true';
  }
  return inLoop && !getsOn;
}
