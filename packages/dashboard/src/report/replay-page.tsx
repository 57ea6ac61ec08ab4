import type { ReplayItem, ReplayPageData } from '@unrut/computer-use/replay-page';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Prose } from '../parts/prose.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { ReportFrame } from './report-frame.tsx';

const ABOUT = 'Made by Unrut. This page loads and sends nothing. What was typed is not kept.';

/** A run of a screen agent, picture by picture. */
export function ReplayPage({
  title,
  reason,
  ending,
  facts,
  items,
  letters,
  acts,
}: ReplayPageData): JSX.Element {
  const loops = useMemo(() => stretches(items).map((place) => ({ bursts: [{ place }] })), [items]);
  return (
    <ReportFrame title="Unrut replay" facts={[]} about={ABOUT}>
      <h1>{title}</h1>
      <p class="lead">
        <span class={`state ended-as ${reason}`}>{reason}</span> {ending}
      </p>
      {facts.map((fact) => (
        <p key={fact} class="note">
          {fact}
        </p>
      ))}
      <Jumps
        title="Jump to what was forced"
        items={items.filter(({ look }) => look === 'forced')}
      />
      <Jumps
        title="It looped at"
        items={items.filter(({ lines }) => lines.some(([name]) => name === 'Loop'))}
      />
      {letters.length > 0 && (
        <Timeline
          {...{ letters, acts, loops, seconds: [], first: 0, here: null }}
          tell={(i) => `${items[i]?.name}: ${items[i]?.title}`}
          onChoose={(i) => {
            location.hash = items[i]!.id;
          }}
        />
      )}
      <ol class="replay">
        {items.map((item) => (
          <Item key={item.id} {...item} />
        ))}
      </ol>
    </ReportFrame>
  );
}

/** Steps in a row that looped. */
function stretches(items: readonly ReplayItem[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const [i, { lines }] of items.entries()) {
    if (!lines.some(([name]) => name === 'Loop')) continue;
    const last = found.at(-1);
    if (last?.end === i - 1) last.end = i;
    else found.push({ start: i, end: i });
  }
  return found;
}

const Jumps = ({
  title,
  items,
}: {
  title: string;
  items: readonly ReplayItem[];
}): JSX.Element | null =>
  items.length === 0 ? null : (
    <p>
      {title}:{' '}
      {items.map(({ id, name }) => (
        <>
          <a key={id} href={`#${id}`}>
            {name.toLowerCase()}
          </a>{' '}
        </>
      ))}
    </p>
  );

const Item = ({ id, name, title, look, picture, alt, markers, lines }: ReplayItem): JSX.Element => (
  <li id={id} class={look}>
    <h2>
      <a href={`#${id}`}>{name}</a>: {title}
    </h2>
    <figure>
      <img src={picture} alt={alt} loading="lazy" />
      {markers.map(({ kind, left, top, words }) => (
        <i key={kind} class={kind} style={{ left: `${left}%`, top: `${top}%` }} title={words} />
      ))}
    </figure>
    <dl>
      {lines.map(([term, text]) => (
        <>
          <dt>{term}</dt>
          <dd>
            <Prose text={text} />
          </dd>
        </>
      ))}
    </dl>
  </li>
);
