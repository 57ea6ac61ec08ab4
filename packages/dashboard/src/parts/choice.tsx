import type { JSX } from 'preact';

interface ChoiceProps {
  label: string;
  of: readonly (readonly [value: string, words: string])[];
  /** Of a field in a form. */
  name?: string;
  value?: string;
  onChoose?(value: string): void;
}

/** One of several, with its words. */
export const Choice = ({ label, of, onChoose, ...select }: ChoiceProps): JSX.Element => (
  <label>
    {label}{' '}
    <select {...select} onChange={({ currentTarget: { value } }) => onChoose?.(value)}>
      {of.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  </label>
);
