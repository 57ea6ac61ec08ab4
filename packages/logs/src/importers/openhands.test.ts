import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { survivesSpoiling } from '@unrut/test/importers/spoiled';
import { describe, expect, it } from 'vitest';
import { openhands } from './openhands/openhands.ts';

const FIXTURES = ['openhands-classic.json', 'openhands-sdk.jsonl', 'openhands-evaluation.jsonl'];

describe('OpenHands', () => {
  behavesWell(openhands, FIXTURES, [
    { action: 'run', args: {}, source: 'agent' },
    { observation: 'run', extras: {}, cause: 4 },
    { kind: 'ActionEvent', source: 'agent' },
    { kind: 'ObservationEvent', source: 'environment', tool_call_id: 'x' },
    { history: [null, 3, {}] },
  ]);
  survivesSpoiling(openhands, FIXTURES);

  it('reads classic events: calls as the model made them, results by their cause', () => {
    expect(outline(importFixture(openhands, 'openhands-classic.json'))).toEqual([
      '0 person "Make the tests pass."',
      '1 thinks "I run the tests and read the module."',
      '1 calls execute_bash {"command":"pytest"}',
      '1 execute_bash returns "1 failed" exit 1',
      '2 calls str_replace_editor {"command":"view","path":"/home/dev/project/a.py"}',
      '2 str_replace_editor returns "def a(): return 1"',
      '3 calls execute_bash {"command":"rm -r build"}',
      '3 execute_bash returns "Action has been rejected by the user!" refused by user',
      '4 calls delegate {"agent":"BrowsingAgent","inputs":{"task":"Look it up."}}',
      '0 BrowsingAgent 11 calls browse_interactive {"browser_actions":"goto(\\"https://example.com\\")","browsergym_send_msg_to_user":""}',
      '0 BrowsingAgent 11 browse_interactive returns "A page."',
      '4 delegate returns {"answer":"42"}',
      '5 context-compacted',
      '5 says "I am stopping here."',
      '6 calls finish {"final_thought":"All done.","task_completed":"true","outputs":{}}',
    ]);
  });

  it('reports for each classic action the cost since the last one', () => {
    const { events } = importFixture(openhands, 'openhands-classic.json');
    expect(
      events.flatMap(({ step, event }) =>
        event.cost ? [[step, event.cost.tokens, Number(event.cost.usd!.toFixed(3))]] : [],
      ),
    ).toEqual([
      [1, 850, 0.01],
      [3, 330, 0.004],
    ]);
  });

  it('keeps calls of one response together', () => {
    for (const fixture of ['openhands-classic.json', 'openhands-sdk.jsonl']) {
      const { events } = importFixture(openhands, fixture);
      const batches = events.flatMap(({ event }) =>
        event.type === 'call-proposed' ? [event.batch] : [],
      );
      expect(batches.slice(0, 3)).toEqual(['chatcmpl-1', 'chatcmpl-1', 'chatcmpl-2']);
    }
  });

  it('reads the events of the SDK, and who refused a call', () => {
    const text = (said: string) => `[{"cache_prompt":false,"type":"text","text":"${said}"}]`;
    expect(outline(importFixture(openhands, 'openhands-sdk.jsonl'))).toEqual([
      '0 person "Build the page."',
      '1 thinks "First the folder."',
      '1 thinks "I look around."',
      '1 calls terminal {"command":"ls"}',
      '2 calls terminal {"command":"cat missing"}',
      `1 terminal returns ${text('index.html')} exit 0`,
      `2 terminal returns ${text('No such file')} exit 1`,
      '3 calls task_tracker {}',
      expect.stringMatching(
        /^3 task_tracker returns "Error validating .* error true refused by schema$/,
      ),
      '4 calls frobnicate {}',
      expect.stringMatching(/^4 frobnicate returns .* error true refused by unknown-tool$/),
      '5 calls terminal {"command":"rm -r /"}',
      '5 terminal returns "Dangerous." refused by host',
      '6 context-compacted',
      '6 calls read {"path":"index.html"}',
      '6 read returns "<html>"',
      '7 thinks "Enough."',
      '7 says "The page is there."',
    ]);
  });

  it('loses no action', () => {
    const sdk = recordsOf('openhands-sdk.jsonl') as { kind: string; tool_call_id?: string }[];
    const called = new Set(
      sdk.flatMap(({ kind, tool_call_id }) =>
        kind === 'ActionEvent' || kind === 'ACPToolCallEvent' ? [tool_call_id] : [],
      ),
    );
    const classic = recordsOf('openhands-classic.json') as { action?: string; source: string }[];
    const acted = classic.filter(
      ({ action, source }) =>
        source === 'agent' && action && !['system', 'message', 'condensation'].includes(action),
    );
    expect(callsIn('openhands-sdk.jsonl')).toBe(called.size);
    expect(callsIn('openhands-classic.json')).toBe(acted.length);
  });

  it('reads evaluated instances, a run each, also where actions and observations stand in pairs', () => {
    const file = importFixture(openhands, 'openhands-evaluation.jsonl');
    expect(file.events.map(({ event }, i) => `${event.session} ${outline(file)[i]}`)).toEqual([
      'project__sum-1 0 person "Fix sum."',
      'project__sum-1 1 thinks "I open the file."',
      'project__sum-1 1 calls run {"command":"open sum.py"}',
      'project__sum-1 1 run returns "[File: sum.py]" exit 0',
      'project__sum-1 2 calls finish {"outputs":{}}',
      'project__sum-1 3 session-ended',
      'project__sum-2 0 person "Fix the other."',
      'project__sum-2 1 calls finish {"message":"Nothing to do."}',
      'project__sum-2 2 session-ended',
    ]);
    expect(file.events.flatMap(({ event }) => event.cost ?? [])).toEqual([
      { usd: 0.2 },
      { tokens: 320, usd: 0.05 },
    ]);
  });

  it('pairs events without ids in their order', () => {
    const file = importRecords(openhands, [
      { source: 'agent', action: 'run', args: { command: 'ls' } },
      { source: 'environment', observation: 'run', content: 'a.txt', extras: { exit_code: 0 } },
      { source: 'agent', action: 'read', args: { path: 'a.txt' } },
      {
        source: 'environment',
        observation: 'error',
        content: 'The model did not answer.',
        extras: {},
      },
      { source: 'environment', observation: 'read', content: 'x', extras: {} },
    ]);
    expect(outline(file).filter((line) => line.includes('returns'))).toEqual([
      '0 run returns "a.txt" exit 0',
      '1 read returns "x"',
    ]);
    expect(file.unknown).toEqual([]);
  });

  it('passes over what a person runs in the terminal', () => {
    const { events, unknown } = importRecords(openhands, [
      { id: 1, source: 'user', action: 'run', args: { command: 'ls' } },
      { id: 2, source: 'user', cause: 1, observation: 'run', content: 'a.txt', extras: {} },
    ]);
    expect([events, unknown]).toEqual([[], []]);
  });
});

const callsIn = (fixture: string): number =>
  importFixture(openhands, fixture).events.filter(({ event }) => event.type === 'call-proposed')
    .length;
