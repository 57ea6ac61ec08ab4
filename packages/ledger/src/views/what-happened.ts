import type { EventType } from '@unrut/engine/event';
import type { Fingerprint } from '@unrut/engine/fingerprint';
import type { RecordedEvent } from '../reports/recorded-entry.ts';
import type { SeenBriefly } from '../seen-briefly.ts';

const NEUTRAL: Record<NonNullable<Fingerprint['neutral']>, string> = {
  wait: 'a wait',
  poll: 'polling for a change',
  'transient-error': 'a transient error',
  batch: 'one of a parallel batch',
  own: 'blocked by Unrut',
  asked: 'again, as the user asked',
  reread: 're-read after the context was compacted',
};

const PROGRESS: Record<NonNullable<Fingerprint['progress']>, string> = {
  write: 'made a change',
  novel: 'first time seen',
  moved: 'a count changed',
  falling: 'fewer failures than before',
  'first-look': 'first time seen',
  'first-run': 'first run',
  screen: 'a different screen',
};

/** An event and its result, in words; undefined for events without display. */
export function whatHappened(
  seen: SeenBriefly & { type: EventType },
): { what: string; brought: string } | null {
  switch (seen.type) {
    case 'call-finished':
    case 'action-finished':
      return { what: seen.call?.label ?? '', brought: whatItBrought(seen) };
    case 'text-added':
      return seen.text?.message
        ? {
            what: `${seen.text.channel === 'thinking' ? 'thinks' : 'says'} ${seen.text.message.words} word${seen.text.message.words === 1 ? '' : 's'}`,
            brought: '',
          }
        : null;
    case 'output-finished':
      return { what: 'output', brought: seen.output?.signature ?? '' };
    case 'user-spoke':
      return { what: 'the user speaks', brought: '' };
    case 'context-compacted':
      return { what: 'the context is compacted', brought: '' };
    default:
      return null;
  }
}

/** Min share of new words for a result to be called new. */
const ALL_NEW = 0.9;

function whatItBrought({ result, neutral, progress }: SeenBriefly): string {
  if (neutral === 'batch' && result?.error)
    return `${NEUTRAL.batch}, failed: ${result.error.label.slice(0, 60)}`;
  if (neutral) return NEUTRAL[neutral];
  if (!result) return '';
  if (!result.known) return 'no result known';
  const parts: string[] = [];
  if (result.error) parts.push(`failed: ${result.error.label.slice(0, 60)}`);
  const times = result.sameInARow ?? result.run ?? 1;
  if (times > 1)
    parts.push(`same answer as the last ${times === 2 ? 'time' : `${times - 1} times`}`);
  // Most writes return an empty result, so it is worth mentioning only for other calls.
  else if (result.empty && progress !== 'write') parts.push('nothing found');
  else
    parts.push(
      progress === 'novel' && result.novelty < ALL_NEW
        ? `partly new (${Math.round(result.novelty * 100)}%)`
        : progress
          ? PROGRESS[progress]
          : 'nothing new',
    );
  if (result.failures !== null) parts.push(`${result.failures} failing`);
  return parts.join(', ');
}

const WORDS: { [type in EventType]?: string } = {
  'session-ended': 'the session ends',
  'task-attempted': 'a task is attempted',
  'iteration-started': 'an iteration begins',
  idle: 'nothing to do',
};

/**
 * An event and its result, in words; nothing for a piece of a message. Entries of
 * earlier versions tell only the tool.
 */
export function toldBy({ type, tool = '', seen }: RecordedEvent): {
  what: string;
  brought: string;
} {
  const { what, brought } = whatHappened({ type, ...seen }) ?? {
    what: WORDS[type] ?? seen?.call?.label ?? '',
    brought: '',
  };
  return { what: what || tool, brought };
}
