import { importFixture, outline } from '@unrut/test/importers/import-file';
import { expect, it } from 'vitest';
import { tau2 } from './tau2.ts';

it('the results of tau2 are a run for each simulation, with the calls of the agent only', () => {
  const file = importFixture(tau2, 'tau2.json');
  expect(outline(file)).toEqual([
    '0 says "Hi! How can I help you today?"',
    '1 person "I want to change my flight."',
    '2 calls get_reservation {"id":"ABC123"}',
    '3 calls get_user {"id":"mia_1"}',
    '2 get_reservation returns "Error: Reservation not found" error true',
    '3 get_user returns "{\\"name\\": \\"Mia\\"}"',
    '4 says "Which reservation is it?"',
    '5 person "###STOP###"',
    '6 session-ended',
    '0 person "My phone has no signal."',
    '1 says "Please look at the status bar."',
    '2 person "It says no service."',
    '3 calls get_line {"id":"L1"}',
    '3 get_line returns "{\\"status\\": \\"active\\"}"',
    '4 says "Your line is active."',
    '5 session-ended',
  ]);
  const [first, second] = file.events.flatMap(({ event }) =>
    event.type === 'call-proposed' ? [event.batch] : [],
  );
  expect(first).toBe(second);
  expect(file.events[0]!.event.cost).toEqual({ tokens: 110, usd: 0.001 });
});
