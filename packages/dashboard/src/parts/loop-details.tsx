import { counted, number } from '@unrut/ledger/report/figures';
import type { SessionLoop } from '@unrut/server/api/answers';
import type { ComponentChildren, JSX } from 'preact';
import { type Act, actText, outcomeWords, stepsText, wasteText } from '../loop-words.ts';
import type { Picture } from '../picture-layout.ts';
import { Link } from '../router.tsx';
import { LoopPicture } from './loop-picture.tsx';
import { Prose } from './prose.tsx';
import { type Repeat, RepeatsTable } from './repeats-table.tsx';
import { capital } from './words.ts';

/** The displayed data of a loop, in a session or in a scanned run. */
export interface LoopShown
  extends Pick<
    SessionLoop,
    | 'agent'
    | 'detector'
    | 'also'
    | 'since'
    | 'firedAt'
    | 'last'
    | 'strength'
    | 'text'
    | 'bursts'
    | 'wasted'
  > {
  acts: readonly Act[];
  /** Advice on edits or on waiting longer: no loop, and nothing is wasted on it. */
  isAdvice?: boolean;
  repeats: readonly Repeat[];
  /** How many there are of them. */
  repeated: number;
  /** Missing if it is shown elsewhere. */
  picture?: Picture | undefined;
  isOpen: boolean;
}

interface LoopProps {
  loop: LoopShown;
  /** Its place in the session, from 1. */
  place: number;
  id: string;
  isOpen: boolean;
  onToggle?: (isOpen: boolean) => void;
  /** Of its heading. Default: 3. */
  level?: 3 | 4;
  /** Links to a moment and to a detector. Pages in a file have none. */
  links?: { moment(place: number): string; detector(name: string): string };
  /** Buttons at its end. */
  children: ComponentChildren;
}

/** One loop: its reason and cost, Unrut's actions (grouped), and its repeats side by side. */
export function LoopDetails({
  loop,
  place,
  id,
  isOpen,
  onToggle,
  level = 3,
  links,
  children,
}: LoopProps): JSX.Element {
  const name = `${loop.isAdvice ? 'Advice' : 'Loop'} ${place}`;
  const Heading = `h${level}` as const;
  const Subheading = `h${level + 1}` as 'h4' | 'h5';
  return (
    <details
      class={loop.isAdvice ? 'loop light' : 'loop'}
      id={id}
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => open !== isOpen && onToggle?.(open)}
    >
      <summary>
        <Heading>
          {name} {loop.isOpen && <span class="state looping">still looping</span>}
        </Heading>
        <span class="cost">{loop.isAdvice ? 'advice only' : wasteText(loop.wasted)}</span>
        <span class="why">
          <Prose text={capital(loop.text)} />. {whereText(loop)}
        </span>
        {loop.acts.length > 0 && <span class="in-short">{shortActs(loop)}</span>}
      </summary>
      <div class="evidence">
        {loop.acts.length === 0 ? (
          <p>It was recorded; nothing was done.</p>
        ) : (
          <Acts acts={loop.acts} level={level} />
        )}
        {loop.picture && <LoopPicture picture={loop.picture} name={name} />}
        {loop.repeats.length > 1 && (
          <>
            <Subheading>What repeats, side by side</Subheading>
            <RepeatsTable
              name={name}
              repeats={loop.repeats}
              count={Math.max(loop.repeated, loop.repeats.length)}
            />
          </>
        )}
        {loop.bursts.length > 1 && <Bursts bursts={loop.bursts} links={links} level={level} />}
        <p class="facts-line">
          {factsOf(loop, links).map(([title, fact]) => (
            <span key={title}>
              {title}: {fact}
            </span>
          ))}
        </p>
        <p class="actions">{children}</p>
      </div>
    </details>
  );
}

const whereText = ({ since, last, bursts }: LoopShown): string =>
  `${capital(stepsText(since, last))}${bursts.length > 1 ? `, in ${number(bursts.length)} bursts with other work between them` : ''}.`;

/** The most frequent and the latest action, with its outcome: the reader's first question. */
function shortActs({ acts }: LoopShown): string {
  const most = acts.reduce((one, other) => (other.times > one.times ? other : one));
  const last = acts.at(-1)!;
  const told = [...new Set([most, last])];
  const words = told.map((act) => [actText(act), outcomeWords(act)].filter(Boolean).join(': '));
  return [
    ...words,
    ...(acts.length > told.length ? [`${number(acts.length - told.length)} more`] : []),
  ].join(' · ');
}

/** The actions, grouped with counts; all texts but the last are folded. */
function Acts({ acts, level }: { acts: LoopShown['acts']; level: 3 | 4 }): JSX.Element {
  const Heading = `h${level + 1}` as 'h4' | 'h5';
  return (
    <div class="plans">
      <Heading>
        {acts.every(({ shadow }) => shadow) ? 'What Unrut would have done' : 'What Unrut did'}
      </Heading>
      <ol>
        {acts.map((act, i) => (
          <li key={`${act.rung} ${act.recovery} ${act.shadow}`} class="plan">
            <p>
              {actText(act)}{' '}
              {act.outcomes && (
                <span class={`outcome ${act.outcomes.recovered > 0 ? 'recovered' : 'persisted'}`}>
                  {outcomeWords(act)}
                </span>
              )}{' '}
              <code>{act.recovery}</code>
            </p>
            {act.notPerformed > 0 && (
              <p class="note">
                The agent’s program could not do it
                {act.times > 1 && ` ${number(act.notPerformed)} times`}, or only less.
              </p>
            )}
            {act.toModel !== '' && (
              <details open={i === acts.length - 1}>
                <summary>
                  {act.shadow ? 'What the model would have read' : 'What the model read'}
                </summary>
                <blockquote>
                  <Prose text={act.toModel} />
                </blockquote>
              </details>
            )}
            {(act.rung === 'escalate' || act.rung === 'stop') && act.toHuman !== '' && (
              <p class="to-human">
                {act.shadow ? 'A human would have read' : 'For humans'}:{' '}
                <Prose text={act.toHuman} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

const MAX_BURSTS = 12;

/** Links to the first and last bursts. */
function Bursts({
  bursts,
  links,
  level,
}: Pick<LoopShown, 'bursts'> & Pick<LoopProps, 'links'> & { level: 3 | 4 }): JSX.Element {
  const Heading = `h${level + 1}` as 'h4' | 'h5';
  const half = MAX_BURSTS / 2;
  const left = bursts.length - MAX_BURSTS;
  const shown = left > 0 ? [...bursts.slice(0, half), ...bursts.slice(-half)] : bursts;
  return (
    <>
      <Heading>{counted(bursts.length, 'burst')}</Heading>
      <ul class="bursts">
        {shown.map(({ since, last, wasted, place }, i) => (
          <>
            {left > 0 && i === half && <li class="note">{number(left)} more</li>}
            <li key={since}>
              {links ? (
                <Link href={links.moment(place.start)}>{stepsText(since, last)}</Link>
              ) : (
                stepsText(since, last)
              )}{' '}
              <span class="note">{number(wasted.steps)} wasted</span>
            </li>
          </>
        ))}
      </ul>
    </>
  );
}

function factsOf(
  { firedAt, detector, also, strength, agent }: LoopShown,
  links: LoopProps['links'],
): [string, ComponentChildren][] {
  return [
    ...(agent === undefined ? [] : [['Nested agent', agent] as [string, ComponentChildren]]),
    ['Detected', `at step ${number(firedAt)}`],
    [
      'By',
      [detector, ...also].map((name, i) => (
        <>
          {i > 0 && ', '}
          {links ? <Link href={links.detector(name)}>{name}</Link> : name}
        </>
      )),
    ],
    ['Confidence', `${Math.round(100 * strength)}%`],
  ];
}
