import 'uplot/dist/uPlot.min.css';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';

/** Spending in an hour or a day, and the wasted part. */
export interface Spent {
  /** Epoch milliseconds. */
  at: number;
  all: number;
  wasted: number;
}

interface WasteChartProps {
  title: string;
  rows: readonly Spent[];
  /** Words for one of them. */
  tell(row: Spent): string;
  /** A value at the axis. */
  figure(value: number): string;
  /** A moment at the axis. */
  moment(at: number): string;
  /** The length of an hour or a day in milliseconds. */
  length: number;
}

const HEIGHT = 260;
/** Hours or days between two labels of the axis. */
const STRIDES = [1, 2, 3, 6, 7, 14, 28, 91, 365, 3652];

/**
 * Bars over time: total spending, with the wasted part in front. A table next to it has the same
 * data.
 */
export function WasteChart({
  title,
  rows,
  tell,
  figure,
  moment,
  length,
}: WasteChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [pointed, point] = useState<number | null>(null);
  const chart = useRef<uPlot>(null);
  const isDark = useDarkness();
  useEffect(() => {
    const box = place.current!;
    const drawn = new uPlot(
      chartOptions(box, { figure, moment, length, point }),
      dataOf(rows),
      box,
    );
    const watching = new ResizeObserver(() =>
      drawn.setSize({ width: box.clientWidth, height: HEIGHT }),
    );
    watching.observe(box);
    chart.current = drawn;
    return () => {
      watching.disconnect();
      drawn.destroy();
    };
  }, [isDark, figure, length]);
  useEffect(() => chart.current?.setData(dataOf(rows)), [rows]);
  const row = pointed === null ? undefined : rows[pointed];
  return (
    <figure class="waste">
      <div ref={place} role="img" aria-label={`${title}. The table below has the same figures.`} />
      <figcaption>
        <span class="key all">all</span> <span class="key wasted">wasted</span>{' '}
        <span class="readout">{row ? tell(row) : 'Point at a bar to read it.'}</span>
      </figcaption>
    </figure>
  );
}

const dataOf = (rows: readonly Spent[]): uPlot.AlignedData => [
  rows.map(({ at }) => at),
  rows.map(({ all }) => all),
  rows.map(({ wasted }) => wasted),
];

interface Drawing extends Pick<WasteChartProps, 'figure' | 'moment' | 'length'> {
  point(index: number | null): void;
}

function chartOptions(box: HTMLElement, { figure, moment, length, point }: Drawing): uPlot.Options {
  const colour = (name: string): string => resolved(box, `var(--${name})`);
  const { fontFamily } = getComputedStyle(box);
  const axis = {
    stroke: colour('quiet'),
    font: `12px ${fontFamily}`,
    grid: { stroke: colour('rule'), width: 1 },
    ticks: { show: false },
  };
  const bars = uPlot.paths.bars!({ size: [0.7, 48], align: 0 });
  return {
    width: box.clientWidth,
    height: HEIGHT,
    ms: 1,
    tzDate: (at) => uPlot.tzDate(new Date(at), 'Etc/UTC'),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { range: (_, from, to) => [from - length / 2, to + length / 2] },
      y: { range: (_, __, most) => [0, Math.max(most, 0.01) * 1.08] },
    },
    axes: [
      {
        ...axis,
        size: 32,
        grid: { show: false },
        incrs: STRIDES.map((stride) => stride * length),
        values: (_, values) => values.map(moment),
      },
      { ...axis, size: 64, values: (_, values) => values.map(figure) },
    ],
    series: [
      {},
      {
        paths: bars,
        fill: colour('new'),
        stroke: colour('new'),
        width: 0,
        points: { show: false },
      },
      {
        paths: bars,
        fill: colour('loop'),
        stroke: colour('loop'),
        width: 0,
        points: { show: false },
      },
    ],
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? null)] },
  };
}

/** A colour as a canvas takes it. */
function resolved(box: HTMLElement, colour: string): string {
  const probe = document.createElement('span');
  probe.style.color = colour;
  box.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function useDarkness(): boolean {
  const query = matchMedia('(prefers-color-scheme: dark)');
  const [isDark, setDark] = useState(query.matches);
  useEffect(() => {
    const changed = (): void => setDark(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  return isDark;
}
