import type { AgentEvent } from '@unrut/engine/event';

/** The i-th look at an order that never changes: from the third on, a loop. */
export const lookup = (i: number, changes: object = {}): AgentEvent => ({
  type: 'call-finished',
  session: 's',
  at: 1_750_000_000_000 + i * 5000,
  id: `e${i}`,
  call: { id: `c${i}`, tool: 'lookup_order', args: { order: 7 } },
  result: 'Order 7 was shipped on Monday.',
  ...changes,
});
