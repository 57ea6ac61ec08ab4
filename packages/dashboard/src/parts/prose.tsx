import { printable } from '@unrut/engine/text/printable';
import type { JSX } from 'preact';

/**
 * A text that may come from an agent, displayed as plain text. `Backticks` become code; line breaks
 * stay.
 */
export function Prose({ text }: { text: string }): JSX.Element {
  const parts = text.split('\n').map(printable).join('\n').split('`');
  if (parts.length % 2 === 0) return <>{parts.join('`')}</>;
  return <>{parts.map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>;
}
