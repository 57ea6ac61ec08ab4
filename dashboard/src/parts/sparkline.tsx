import type { JSX } from 'preact';
import { counted } from '../../../src/report/figures.ts';
import type { SessionRow } from '../../../src/server/api/answers.ts';

const [WIDTH, HEIGHT] = [80, 18];

/** How busy a session was in the last hour: steps as bars, what of them was wasted in the colour of loops. */
export function Sparkline({ pulse }: Pick<SessionRow, 'pulse'>): JSX.Element | null {
  if (!pulse) return null;
  const { steps, wasted } = pulse;
  const most = Math.max(1, ...steps);
  const wide = WIDTH / steps.length;
  const [all, lost] = [steps, wasted].map((figures) => figures.reduce((sum, each) => sum + each, 0)) as [number, number];
  return (
    <svg class="spark" width={WIDTH} height={HEIGHT} role="img" aria-label={`${counted(all, 'step')} in the last hour, ${lost} wasted`}>
      {steps.map((count, i) => {
        const [high, red] = [(HEIGHT * count) / most, (HEIGHT * (wasted[i] ?? 0)) / most];
        if (count === 0) return null;
        return (
          <g key={i}>
            <rect class="bar new" x={i * wide} y={HEIGHT - Math.max(1, high)} width={wide - 1} height={Math.max(1, high)} />
            {red > 0 && <rect class="bar loop" x={i * wide} y={HEIGHT - red} width={wide - 1} height={red} />}
          </g>
        );
      })}
    </svg>
  );
}
