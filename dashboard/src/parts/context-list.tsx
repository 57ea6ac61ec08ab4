import type { JSX } from 'preact';
import type { ContextEntry } from '../../../src/ledger/ledger.ts';
import { printable } from '../../../src/text/printable.ts';
import { Prose } from './prose.tsx';
import { When } from './when.tsx';

/** What the next prompts of a run are told. */
export function ContextList({ context }: { context: readonly ContextEntry[] }): JSX.Element | null {
  if (context.length === 0) return null;
  return (
    <>
      <h3>Context for the agents</h3>
      <ul class="context">
        {context.map(({ id, timestamp, topic, content, relatedTasks }) => (
          <li key={id}>
            <p class="note">
              <When at={timestamp} />, <code>{printable(topic)}</code>
              {relatedTasks.length > 0 && `, about ${printable(relatedTasks.join(', '))}`}
            </p>
            <blockquote>
              <Prose text={content} />
            </blockquote>
          </li>
        ))}
      </ul>
    </>
  );
}
