import type { Action } from '../action.ts';

type Input = Readonly<Record<string, unknown>>;

/** What a call of Anthropic's computer tools means: an action, a look at the screen, or something that is not to be had here. */
export type Meaning = { action: Action } | { look: true } | { refused: string };

const point = (given: unknown): { x: number; y: number } | null =>
  Array.isArray(given) && typeof given[0] === 'number' && typeof given[1] === 'number' ? { x: given[0], y: given[1] } : null;

const textOf = (given: unknown): string => (typeof given === 'string' ? given : '');
const numberOf = (given: unknown, otherwise: number): number => (typeof given === 'number' && Number.isFinite(given) ? given : otherwise);
const DIRECTIONS = ['up', 'down', 'left', 'right'] as const;

/** Reads a call of the toolset's members, or of the single tool with its `action`. */
export function readAnthropic(name: string, input: Input): Meaning {
  const kind = name === 'computer' ? textOf(input.action) : name;
  const at = point(input.coordinate);
  switch (kind) {
    case 'screenshot':
      return { look: true };
    case 'left_click':
    case 'right_click':
    case 'middle_click': {
      if (!at) return { refused: `${kind} needs a coordinate` };
      const button = kind === 'left_click' ? {} : { button: kind === 'right_click' ? ('right' as const) : ('middle' as const) };
      return { action: { type: 'click', ...at, ...button } };
    }
    case 'double_click':
    case 'triple_click':
      return at ? { action: { type: 'double_click', ...at } } : { refused: `${kind} needs a coordinate` };
    case 'left_click_drag': {
      const from = point(input.start_coordinate);
      if (!from || !at) return { refused: 'left_click_drag needs start_coordinate and coordinate' };
      return { action: { type: 'drag', ...from, end_x: at.x, end_y: at.y } };
    }
    case 'type':
      return { action: { type: 'type_text', text: textOf(input.text) } };
    case 'key':
      return { action: { type: 'key_press', keys: textOf(input.text) } };
    case 'scroll': {
      const direction = DIRECTIONS.find((each) => each === input.scroll_direction) ?? 'down';
      return { action: { type: 'scroll', direction, amount: numberOf(input.scroll_amount, 3), ...at } };
    }
    case 'wait':
      return { action: { type: 'wait', seconds: numberOf(input.duration, 1) } };
    default:
      return { refused: `${kind || 'this'} is not available here; use clicks, keys, typing, scrolling, dragging and waiting` };
  }
}
