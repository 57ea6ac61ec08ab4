import { clip, MOST } from './bounds.ts';
import { html, type Piece } from './html.ts';

/** A text for people, in which `backticks` hold code. */
export function prose(text: string): Piece {
  const parts = clip(text, MOST.text).split('`');
  if (parts.length % 2 === 0) return parts.join('`');
  return parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part));
}
