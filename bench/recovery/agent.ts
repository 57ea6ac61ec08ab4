import type { Brain, Proposal, ScreenAction, View } from '@unrut/computer-use';
import type { Page } from 'playwright-core';
import type { RecoveryTask } from './world.ts';

/** How an agent errs. All are chances, from 0 to 1. */
export interface Temper {
  /** A click becomes a habit: it is done again and again. */
  stuck: number;
  /** A habit is kept for one more step. */
  stubborn: number;
  /** Probability that a message ends a habit. */
  heed: number;
  /** It clicks something that only looks like the way. */
  err: number;
  /** It claims to be done before it is. */
  hasty: number;
  /** Probability that it does not wait for its action's effect. */
  impatient: number;
}

/** A seeded source of numbers from 0 to 1. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

/** A move of a task's oracle. */
type Move =
  | { click: string }
  | { type: string }
  | { key: string }
  | { double: string }
  | { scroll: 'up' | 'down' }
  | { wait: true }
  | { done: true };

/** Returns the next move, computed in the page, with the target's position. */
const ORACLE = `(next, decoy) => {
  const deep = (selector, root = document) => {
    const found = root.querySelector(selector);
    if (found) return found;
    for (const node of root.querySelectorAll('*')) {
      const inside = node.shadowRoot ? deep(selector, node.shadowRoot) : node.tagName === 'IFRAME' ? (() => { try { return node.contentDocument && deep(selector, node.contentDocument); } catch { return null; } })() : null;
      if (inside) return inside;
    }
    return null;
  };
  const q = (selector) => deep(selector);
  const focused = () => { let at = document.activeElement; for (;;) { if (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement; else if (at && at.tagName === 'IFRAME' && at.contentDocument) at = at.contentDocument.activeElement; else return at; } };
  const held = (node) => 'value' in node ? node.value : node.textContent;
  const fill = (selector, value) => { const node = q(selector); return !node || held(node) === value ? null : focused() === node ? (held(node) ? { key: 'Control+A', then: value } : { type: value }) : { click: selector }; };
  const click = (selector, when = true) => when && q(selector) ? { click: selector } : null;
  const key = (keys, when = true) => when ? { key: keys } : null;
  const done = () => q('#ok') ? { done: true } : null;
  const move = decoy ? { click: decoy } : next(q, fill, click, key, done, focused);
  const selector = move && (move.click || move.double);
  if (!selector) return { move };
  const node = q(selector);
  if (!node) return { move: { wait: true } };
  node.scrollIntoView({ block: 'nearest' });
  let { x, y, width, height } = node.getBoundingClientRect();
  for (let view = node.ownerDocument.defaultView; view !== window; view = view.parent) { const frame = view.frameElement.getBoundingClientRect(); x += frame.x + 2; y += frame.y + 2; }
  return { move, x: Math.round(x + Math.min(width / 2, 60)), y: Math.round(y + height / 2), field: node.matches('input, textarea, [contenteditable]') };
}`;

interface Seen {
  move: (Move & { then?: string }) | null;
  x?: number;
  y?: number;
  field?: boolean;
}

const WORDS = ['The field needs the focus.', 'I click it.', 'Submit it.', 'Continue.', ''];

/**
 * An agent that knows the way and errs by chance. Its errors alone do no harm: it repeats only
 * clicks that do nothing.
 */
export function createAgent(page: Page, task: RecoveryTask, temper: Temper, seed: number): Brain {
  const random = randomOf(seed);
  const chance = (share: number): boolean => random() < share;
  let habit: ScreenAction | null = null;
  let rest: ScreenAction | null = null;
  let last: ScreenAction | null = null;
  const propose = (action: ScreenAction): Proposal => ({
    action,
    reasoning: WORDS[Math.floor(random() * WORDS.length)]!,
  });
  const done = (): Proposal => ({
    action: { type: 'done', success: true, summary: 'The form was sent, all is noted.' },
  });
  const look = async (decoy?: string): Promise<Seen> =>
    (await page.evaluate(
      `(${ORACLE})((q, fill, click, key, done, focused) => ${task.next.join(' || ')}, ${JSON.stringify(decoy ?? '')})`,
    )) as Seen;

  return {
    async propose({ feedback }: View): Promise<Proposal> {
      if (rest) {
        const next = rest;
        rest = null;
        return propose(next);
      }
      if (habit) {
        // Every draw is made, whatever follows, so that the arms stay alike for as long as they
        // can.
        const [heeds, goesOn] = [chance(temper.heed), chance(temper.stubborn)];
        if (
          goesOn &&
          !(heeds && feedback !== '') &&
          !(await page.evaluate('!!document.querySelector("#ok")'))
        )
          return propose(habit);
        habit = null;
      }
      if (chance(temper.hasty)) return done();
      const errs =
        chance(temper.err) && task.decoys?.length
          ? task.decoys[Math.floor(random() * task.decoys.length)]
          : undefined;
      const sticks = chance(temper.stuck);
      const waits = !chance(temper.impatient);
      const seen = await look(errs);
      const { move } = seen;
      if (!move) return propose(waits || !last ? { type: 'wait', seconds: 0.2 } : last);
      if ('done' in move) return done();
      if ('type' in move) return propose({ type: 'type_text', text: move.type });
      if ('key' in move) {
        if (move.then !== undefined) rest = { type: 'type_text', text: move.then };
        return propose({ type: 'key_press', keys: move.key });
      }
      if ('scroll' in move) return propose({ type: 'scroll', direction: move.scroll, amount: 3 });
      if ('wait' in move || seen.x === undefined || seen.y === undefined)
        return propose({ type: 'wait', seconds: 0.2 });
      const action: ScreenAction = {
        type: 'double' in move ? 'double_click' : 'click',
        x: seen.x,
        y: seen.y,
      };
      last = action;
      if (sticks && (seen.field || errs !== undefined)) habit = action;
      return propose(action);
    },
  };
}
