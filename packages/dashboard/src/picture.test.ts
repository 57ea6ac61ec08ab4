import { describe, expect, it } from 'vitest';
import {
  brackets,
  fitted,
  joins,
  labelled,
  type Picture,
  type PictureStep,
} from './picture-layout.ts';
import { laneText, pictureText } from './picture-words.ts';

/** Letters in the loop are capitals; `=` before one says that its answer was the same. */
const stepsOf = (text: string): PictureStep[] =>
  [...text.matchAll(/(=?)([a-z])/gi)].map(([, same, sign], place) => ({
    step: place,
    place,
    lane: 'ab'.indexOf(sign!.toLowerCase()),
    letter: sign!.toLowerCase() === 'x' ? 'b' : 'e',
    same: same === '=',
    inLoop: sign === sign!.toUpperCase(),
    novelty: same === '=' ? 0 : 0.5,
  }));

const picture = (text: string): Picture => ({
  lanes: [],
  steps: stepsOf(text),
  left: { steps: 0, before: 0 },
});

describe('the picture of a loop', () => {
  it('joins equal answers of one lane, also over other steps', () => {
    expect(joins({ steps: stepsOf('ab=a=ba') })).toEqual([-1, -1, 0, 1, -1]);
  });

  it('joins nothing that was done once', () => {
    expect(joins({ steps: stepsOf('c=c') })).toEqual([-1, -1]);
  });

  it('has one bracket for each burst', () => {
    expect(brackets({ ...fitted(picture('abABabAAb'), 99) })).toEqual([
      { from: 2, to: 3 },
      { from: 6, to: 7 },
    ]);
  });

  it('leaves out the middle if there is too little room, and says how much', () => {
    const { steps, left, before } = fitted(picture('A'.repeat(60)), 9);
    expect([steps.length, left, before, steps[5]!.place, steps[6]!.place]).toEqual([
      9, 51, 6, 5, 57,
    ]);
  });

  it('adds what the server left out', () => {
    const asked = { ...picture('A'.repeat(60)), left: { steps: 100, before: 40 } };
    expect(fitted(asked, 9).left).toBe(151);
    expect(fitted(asked, 90)).toMatchObject({ left: 100, before: 40 });
  });

  it('writes the label that weighs more if two would touch', () => {
    const labels = [
      { x: 0, text: 'blocked', weight: 1 },
      { x: 20, text: 'stopped', weight: 2 },
      { x: 200, text: 'blocked', weight: 1 },
      { x: 300, text: '' },
    ];
    expect(labelled(labels, 6)).toEqual([false, true, true, false]);
  });

  it('is described in words', () => {
    const lane = { what: 'npm test', times: 60, same: 5, failed: 6, blocked: 54 };
    expect(laneText(lane)).toBe('60 calls: 5 the same, 54 blocked');
    expect(laneText({ ...lane, same: 0, blocked: 0 })).toBe('60 calls: 6 failed');
    expect(pictureText({ ...picture('A=A=A'), lanes: [lane], nothingSince: 1 })).toEqual([
      'npm test: 60 calls, 5 the same, 54 blocked.',
      'Its first answer was 50% new. Nothing new since step 1.',
    ]);
    expect(pictureText(picture('AA'))).toEqual(['Its last step still brought something new.']);
  });
});
