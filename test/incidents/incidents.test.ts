import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { incidentsFile, isAlarm, makeIncidentsPage } from '../../scripts/incidents-page.ts';
import { INCIDENTS } from './incidents.ts';
import { replay } from './replay.ts';

const MINUTE = 60_000;

describe.each(INCIDENTS)('$title', ({ events, twin, patience, until, unattended }) => {
  const how = {
    ...(until === undefined ? {} : { until }),
    attended: unattended !== true,
  };

  test('a human is asked by the time at which a careful one would step in', () => {
    const asked = replay(events(), how).find(({ rung }) => rung === 'escalate' || rung === 'stop');
    expect(asked?.at).toBeLessThanOrEqual(patience * MINUTE);
  });

  test('its honest twin raises no alarm', () => {
    expect(replay(twin.events(), how).filter(isAlarm)).toEqual([]);
  });
});

test('the denied agent’s human reads the missing line with the first word', () => {
  const { events } = INCIDENTS.find(({ name }) => name === 'denials')!;
  const [first] = replay(events(), { attended: false });
  expect(first!.toHuman).toMatch(
    / To allow it, add "Bash\(npm test\)" to permissions\.allow in \.claude\/settings\.json\.$/,
  );
});

test('fewer than 45 of the 240 agents are started', () => {
  const { events } = INCIDENTS.find(({ name }) => name === 'agents')!;
  const held = replay(events()).filter(({ rung }) => rung === 'block').length;
  expect(240 - held).toBeLessThan(45);
});

test('the page is what the incidents say; npm run format writes it', () => {
  expect(readFileSync(incidentsFile, 'utf8')).toBe(makeIncidentsPage());
});
