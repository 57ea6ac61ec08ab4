import type { EditWords } from '../prints.ts';
import { WIDGET_WORDS } from './widgets.ts';

const SOMETHING: EditWords = {
  act: 'write',
  object: 'to the same target',
  look: 'looking at it',
  remedy: 'look at its current state before changing it again',
};

/** The words that notes use for writes to this target. */
export function editWords(target: string | null): EditWords {
  if (target === null) return SOMETHING;
  if (target.startsWith('widget:')) return WIDGET_WORDS;
  const name = target.slice(target.indexOf(':') + 1);
  if (!target.startsWith('file:')) return { ...SOMETHING, object: `to ${name}` };
  return {
    act: 'edit',
    object: `of ${name}`,
    look: 'reading it',
    remedy: 'read it or run a check before editing it again',
  };
}
