import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { survivesSpoiling } from '@unrut/test/importers/spoiled';
import { describe, expect, it } from 'vitest';
import { browserUse } from './browser-use.ts';

const FIXTURES = ['browser-use.json', 'browser-use-old.json'];

describe('browser-use', () => {
  behavesWell(browserUse, FIXTURES, [
    { history: [null, 3, { model_output: null, result: [], state: {} }] },
    {
      model_output: { action: [null, {}, { click: null }, { wait: {} }] },
      result: [null],
      state: {},
    },
  ]);
  survivesSpoiling(browserUse, FIXTURES);

  it('reads each action as a call, with what it said and the page that it left', () => {
    expect(outline(importFixture(browserUse, 'browser-use.json'))).toEqual([
      '0 thinks "I open the shop.\\nJust started.\\nNothing yet.\\nOpen the shop."',
      '0 calls navigate {"url":"https://shop.example.com","new_tab":false}',
      '0 navigate returns {"result":"Navigated to https://shop.example.com","url":"https://shop.example.com/","title":"Shop"}',
      '1 thinks "Shop is open.\\nSearch."',
      '1 calls input {"index":3,"text":"lamp","clear":true}',
      '1 input returns "Typed \\"lamp\\" into element 3"',
      '2 calls click {"index":4}',
      '3 calls click {"index":9}',
      '3 click returns nothing known',
      '2 click returns {"result":"Clicked element 4","url":"https://shop.example.com/?q=lamp","title":"Lamps"}',
      '4 thinks "Found lamps.\\nOpen the first."',
      '4 calls click {"index":12}',
      '4 click returns {"url":"https://shop.example.com/?q=lamp","title":"Lamps"} error "Element with index 12 does not exist"',
      '5 thinks "Finish."',
      '5 calls done {"text":"The lamp costs 20.","success":true,"files_to_display":[]}',
      '5 done returns "The lamp costs 20."',
      '6 session-ended',
    ]);
  });

  it('keeps the actions of one step together, and loses none', () => {
    const { events } = importFixture(browserUse, 'browser-use.json');
    const proposed = events.flatMap(({ event }) => (event.type === 'call-proposed' ? [event] : []));
    expect(proposed.map(({ batch }) => batch)).toEqual([
      'step 1',
      'step 2',
      'step 2',
      'step 2',
      'step 3',
      'step 5',
    ]);
    const steps = (
      recordsOf('browser-use.json')[0] as {
        history: { model_output: { action: unknown[] } | null }[];
      }
    ).history;
    expect(proposed).toHaveLength(
      steps.reduce((sum, { model_output }) => sum + (model_output?.action.length ?? 0), 0),
    );
  });

  it('leaves pictures out', () => {
    expect(JSON.stringify(recordsOf('browser-use.json'))).toContain('iVBORw0KGgo');
    for (const fixture of FIXTURES)
      expect(JSON.stringify(importFixture(browserUse, fixture).events)).not.toContain(
        'iVBORw0KGgo',
      );
  });

  it('reads histories of older versions, with their time and tokens', () => {
    const { events } = importFixture(browserUse, 'browser-use-old.json');
    expect(events.map(({ event }) => [event.type, event.at, event.cost?.tokens])).toEqual([
      ['text-added', 1767600010000, 1200],
      ['call-proposed', 1767600010000, undefined],
      ['call-finished', 1767600018000, undefined],
      ['text-added', 1767600020000, 1500],
      ['call-proposed', 1767600020000, undefined],
      ['call-finished', 1767600028000, undefined],
      ['session-ended', 1767600029000, undefined],
    ]);
  });

  it('reads steps that stand alone in a list', () => {
    const { history } = recordsOf('browser-use.json')[0] as { history: unknown[] };
    expect(browserUse.recognises(history)).toBe(true);
    expect(outline(importRecords(browserUse, history))).toEqual(
      outline(importFixture(browserUse, 'browser-use.json')),
    );
  });
});
