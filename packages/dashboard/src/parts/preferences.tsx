import type { JSX } from 'preact';
import { type Theme, theme, type Zone, zone } from '../preferences.ts';
import { useStore } from '../store.ts';
import { zoneText } from '../zone-time.ts';
import { Choice } from './choice.tsx';

const THEMES: readonly [Theme, string][] = [
  ['system', 'as the system'],
  ['light', 'light'],
  ['dark', 'dark'],
];

/** The appearance and time zone of a page. */
export function Preferences(): JSX.Element {
  const chosen = useStore(zone);
  const zones: [Zone, string][] = [
    ['local', chosen === 'utc' ? 'local time' : zoneText()],
    ['utc', 'UTC'],
  ];
  return (
    <p class="preferences">
      <Choice
        label="Theme"
        of={THEMES}
        value={useStore(theme)}
        onChoose={(value) => theme.set(value as Theme)}
      />
      <Choice
        label="Times in"
        of={zones}
        value={chosen}
        onChoose={(value) => zone.set(value as Zone)}
      />
    </p>
  );
}
