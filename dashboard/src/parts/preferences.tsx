import type { JSX } from 'preact';
import { type Theme, theme, zone } from '../preferences.ts';
import { useStore } from '../store.ts';
import { zoneText } from '../zone-time.ts';

const THEMES: readonly [Theme, string][] = [
  ['system', 'as the system'],
  ['light', 'light'],
  ['dark', 'dark'],
];

/** How a page looks, and whose clock it tells times by. */
export function Preferences(): JSX.Element {
  const shown = useStore(theme);
  const isUtc = useStore(zone) === 'utc';
  return (
    <p class="preferences">
      <label>
        Theme{' '}
        <select value={shown} onChange={({ currentTarget: { value } }) => theme.set(value as Theme)}>
          {THEMES.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        Times in{' '}
        <select value={isUtc ? 'utc' : 'local'} onChange={({ currentTarget: { value } }) => zone.set(value === 'utc' ? 'utc' : 'local')}>
          <option value="local">{isUtc ? 'local time' : zoneText()}</option>
          <option value="utc">UTC</option>
        </select>
      </label>
    </p>
  );
}
