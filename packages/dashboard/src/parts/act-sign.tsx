import type { Rung } from '@unrut/engine/event';
import type { JSX } from 'preact';

/**
 * Words are a ring, force is filled, and what reaches a human or ends the run points down at it.
 */
export function ActSign({ rung, middle }: { rung: Rung; middle: number }): JSX.Element {
  if (rung === 'note' || rung === 'hint')
    return <circle class="sign word" cx={middle} cy={9} r={3} />;
  if (rung === 'escalate' || rung === 'stop')
    return <path class="sign human" d={`M${middle - 5} 2h10l-5 12z`} />;
  return <rect class="sign force" x={middle - 2.5} y={6} width={5} height={6} />;
}
