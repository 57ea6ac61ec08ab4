import { printable } from '@unrut/engine/text/printable';
import { counted, number } from '@unrut/ledger/report/figures';
import { times } from './parts/words.ts';
import type { Picture } from './picture-layout.ts';

type Lane = Picture['lanes'][number];

/** `9 calls, 8 with the same answer, 40 blocked`. */
export function laneText({ times: calls, same, failed, blocked }: Lane): string {
  const parts = [
    counted(calls, 'call'),
    same > 0 && `same answer ${times(same)}`,
    same === 0 && failed > 0 && `failed ${times(failed)}`,
    blocked > 0 && `blocked ${times(blocked)}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** What the picture shows, in sentences: for those who do not see it. */
export function pictureText({ lanes, steps, nothingSince }: Picture): string[] {
  const looped = steps.filter(({ inLoop, step }) => inLoop && step !== undefined);
  const news = looped.find(({ novelty }) => novelty !== undefined)?.novelty;
  return [
    ...lanes.map((lane) => `${printable(lane.what)}: ${laneText(lane)}.`),
    nothingSince === undefined
      ? 'Its last step still brought something new.'
      : `${news === undefined ? '' : `Its first answer was ${Math.round(100 * news)}% new. `}Nothing new since step ${number(nothingSince)}.`,
  ];
}
