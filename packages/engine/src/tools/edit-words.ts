import type { EditWords } from '../prints.ts';
import { WIDGET_WORDS } from './widgets.ts';

const SOMETHING: EditWords = {
  act: 'write',
  object: 'to the same target',
  look: 'looking at it',
  remedy: 'look at its current state before changing it again',
};

/** Begins the kind of a target whose tool declares that it patches such things. */
const DECLARED = 'declared ';

/** The kind of a thing, by the argument that identifies it: `cardId`, `card_id` and `card.id`. */
export function declaredKind(argument: string): string {
  const nouns = argument
    .split('.')
    .map(nounOf)
    .filter((noun) => noun !== '');
  return `${DECLARED}${nouns.at(-1) ?? 'item'}`;
}

/** A name without what only says that it identifies something: empty for `id` alone. */
function nounOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
    .filter(Boolean);
  return (ENDING.test(words.at(-1) ?? '') ? words.slice(0, -1) : words).join(' ');
}

const ENDING = /^(?:ids?|uuid|key|name|ref)$/;

/** The words that notes use for writes to this target. */
export function editWords(target: string | null): EditWords {
  if (target === null) return SOMETHING;
  if (target.startsWith('widget:')) return WIDGET_WORDS;
  if (target.startsWith(DECLARED)) {
    const noun = target.slice(DECLARED.length, target.indexOf(':'));
    return {
      act: 'patch',
      object: `on this ${noun}`,
      look: `a fresh look at the ${noun}`,
      remedy: 'verify visually or report current state instead of patching again',
    };
  }
  const name = target.slice(target.indexOf(':') + 1);
  if (!target.startsWith('file:')) return { ...SOMETHING, object: `to ${name}` };
  return {
    act: 'edit',
    object: `of ${name}`,
    look: 'reading it',
    remedy: 'read it or run a check before editing it again',
  };
}
