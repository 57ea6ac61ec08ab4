import type { Action } from '../action.ts';

type Given = Readonly<Record<string, unknown>>;

const numberOf = (given: unknown): number => (typeof given === 'number' && Number.isFinite(given) ? given : 0);
/** Pixels of one notch of a wheel. */
const NOTCH = 100;

/** What an action of OpenAI's computer tool means; null for a mere look or a mere move of the mouse. */
export function readOpenAi(given: Given): Action | null {
  const at = { x: numberOf(given.x), y: numberOf(given.y) };
  switch (given.type) {
    case 'click': {
      const button = given.button === 'right' ? 'right' : given.button === 'wheel' ? 'middle' : undefined;
      return { type: 'click', ...at, ...(button ? { button } : {}) };
    }
    case 'double_click':
      return { type: 'double_click', ...at };
    case 'drag': {
      const path = (Array.isArray(given.path) ? given.path : []) as { x?: unknown; y?: unknown }[];
      const [from, to] = [path[0], path.at(-1)];
      return from && to ? { type: 'drag', x: numberOf(from.x), y: numberOf(from.y), end_x: numberOf(to.x), end_y: numberOf(to.y) } : null;
    }
    case 'keypress':
      return { type: 'key_press', keys: [given.keys].flat().map(String).join('+') };
    case 'type':
      return { type: 'type_text', text: String(given.text ?? '') };
    case 'scroll': {
      const [sideways, down] = [numberOf(given.scroll_x), numberOf(given.scroll_y)];
      const direction = Math.abs(sideways) > Math.abs(down) ? (sideways > 0 ? 'right' : 'left') : down < 0 ? 'up' : 'down';
      return { type: 'scroll', direction, amount: Math.max(1, Math.round(Math.max(Math.abs(sideways), Math.abs(down)) / NOTCH)), ...at };
    }
    case 'wait':
      return { type: 'wait', seconds: 2 };
    default:
      return null;
  }
}
