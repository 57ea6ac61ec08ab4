import { describe } from 'vitest';
import { scenario, times } from './scenario.ts';

describe('screen clicks without any result', () => {
  const save = { role: 'button', name: 'Save' };
  scenario(
    'fires at 3 or 4',
    { from: 3, to: 4 },
    {
      'the same point': times(4, () => ({
        action: { type: 'click', x: 412, y: 236 },
        target: save,
      })),
      'the same point, target unknown': times(4, () => ({
        action: { type: 'click', x: 412, y: 236 },
      })),
      'a hand that trembles': times(4, (i) => ({
        action: { type: 'click', x: 412 + ((i * 3) % 5), y: 236 - ((i * 2) % 4) },
        target: save,
      })),
      'a double click': times(4, () => ({
        action: { type: 'double_click', x: 88, y: 40 },
        target: { role: 'link', name: 'Orders' },
      })),
      'a browser tool': times(4, () => ({
        tool: 'mcp__playwright__browser_click',
        args: { element: 'Save button', ref: 'e14' },
      })),
      'a computer tool': times(4, () => ({
        tool: 'computer',
        args: { action: 'left_click', coordinate: [412, 236] },
      })),
      'an unknown click tool': times(4, () => ({
        tool: 'click_element',
        args: { selector: '#save' },
      })),
    },
  );
});
