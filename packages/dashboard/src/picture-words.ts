import { printable } from '@unrut/engine/text/printable';
import { counted, number } from '@unrut/ledger/report/figures';
import type { Picture } from './picture-layout.ts';

type Lane = Picture['lanes'][number];

/** `60 calls: 5 the same, 54 blocked`. */
export function laneText({ times: calls, same, failed, blocked }: Lane): string {
  const parts = [
    same > 0 && `${number(same)} the same`,
    same === 0 && failed > 0 && `${number(failed)} failed`,
    blocked > 0 && `${number(blocked)} blocked`,
  ].filter(Boolean);
  return `${counted(calls, 'call')}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
}

/** The content of the picture in sentences, for screen readers. */
export function pictureText({ lanes, steps, nothingSince }: Picture): string[] {
  const looped = steps.filter(({ inLoop, step }) => inLoop && step !== undefined);
  const news = looped.find(({ novelty }) => novelty !== undefined)?.novelty;
  return [
    ...lanes.map((lane) => `${printable(lane.what)}: ${laneText(lane).replace(': ', ', ')}.`),
    nothingSince === undefined
      ? 'Its last step still brought something new.'
      : `${news === undefined ? '' : `Its first answer was ${Math.round(100 * news)}% new. `}Nothing new since step ${number(nothingSince)}.`,
  ];
}
