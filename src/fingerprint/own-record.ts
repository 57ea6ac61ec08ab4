/** The notes in which an orchestrator says how its team gets on (AutoGen's Magentic-One, Microsoft's Agent Framework): bare, or an answer with its reason. */
const NOTE = /"is_(in_loop|progress_being_made)"\s*:\s*(?:\{[^{}]{0,4096}?"answer"\s*:\s*)?(true|false)/g;

/** Whether an agent's own record of its progress says that it is in a loop and does not get on; null where it keeps none. */
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
