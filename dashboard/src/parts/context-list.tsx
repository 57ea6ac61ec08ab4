import type { JSX } from 'preact';
import type { ContextEntry } from '../../../src/ledger/ledger.ts';
import { number } from '../../../src/report/figures.ts';
import { printable } from '../../../src/text/printable.ts';
import { Prose } from './prose.tsx';
import { When } from './when.tsx';

/** What the next prompts of a run are told. */
export function ContextList({ context }: { context: readonly ContextEntry[] }): JSX.Element | null {
  if (context.length === 0) return null;
  return (
    <details>
      <summary>
        <h3>What the next prompts will include</h3> <span class="note">{number(context.length)}</span>
      </summary>
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
    </details>
  );
}
