import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { survivesSpoiling } from '@unrut/test/importers/spoiled';
import { describe, expect, it } from 'vitest';
import { agentlab } from './agentlab.ts';

const FIXTURES = ['agentlab.json'];

describe('AgentLab', () => {
  behavesWell(agentlab, FIXTURES, [
    { goal: null, steps: [null, 3, { action: null, reasoning: null, url: null }] },
    {
      goal: [{ type: 'text', text: 'Go.' }],
      steps: [{ action: 'no call', reasoning: '', url: 'x' }],
    },
  ]);
  survivesSpoiling(agentlab, FIXTURES);

  it('reads each action as a call, and the page of the next step as its result', () => {
    expect(outline(importFixture(agentlab, 'agentlab.json'))).toEqual([
      '0 person "Buy the cheapest lamp."',
      '1 thinks "<think>I open the search.</think>"',
      `1 calls click "'a12'"`,
      '1 click returns {"url":"https://shop.example.com/search","page":"textbox\\nbutton"}',
      '2 thinks "I type and search."',
      `2 calls fill "'b3', 'lamp (small)'"`,
      '2 fill returns nothing known',
      `3 calls click "'b4'"`,
      '3 click returns {"url":"https://shop.example.com/search?q=lamp","page":"link Lamp"}',
      '4 thinks "I open the lamp."',
      `4 calls click "'c9'"`,
      '4 click returns nothing known',
      '5 thinks "I answer."',
      '5 calls send_msg_to_user "\\"20\\""',
      '5 send_msg_to_user returns nothing known',
      '6 session-ended',
    ]);
  });

  it('loses no action', () => {
    const { steps } = recordsOf('agentlab.json')[0] as { steps: { action: string | null }[] };
    const made = steps.flatMap(({ action }) => action?.split('\n') ?? []).length;
    expect(
      importFixture(agentlab, 'agentlab.json').events.filter(
        ({ event }) => event.type === 'call-proposed',
      ),
    ).toHaveLength(made);
  });

  it('tells an error where the next step does', () => {
    const step = { action: "click('a')", reasoning: '', url: 'u', axtree: 'page' };
    const { events } = importRecords(agentlab, [
      { goal: 'Go.', steps: [step, { ...step, last_action_error: 'TimeoutError' }] },
    ]);
    expect(events[2]!.event).toMatchObject({
      error: 'TimeoutError',
      result: { url: 'u', page: 'page' },
    });
  });
});
