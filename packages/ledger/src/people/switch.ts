import { present } from '@unrut/engine/json';
import { changeSaid, isBelow, type Said, type SaidChange, type SwitchedOff } from './said.ts';

/** The scope of a switch: a session, a folder, or everything. */
export type SwitchPlace = Pick<SwitchedOff, 'folder' | 'session'>;

/** Switches Unrut off there; events are still recorded. `until` is in epoch milliseconds. */
export const withOff =
  (place: SwitchPlace, at: number, until?: number): SaidChange =>
  (said) => ({
    ...said,
    off: [
      ...said.off.filter((each) => !isSame(each, place)),
      { ...place, at, ...present({ until }) },
    ],
    on: said.on.filter(({ session }) => session !== place.session),
  });

/** A person wants Unrut to act in this session, whatever a trial has drawn. */
const withOn = (said: Said, session: string, at: number): Said => ({
  ...said,
  on: [...said.on.filter((each) => each.session !== session), { session, at }],
});

/** `withOff`, saved in the file next to a ledger. */
export const switchOff = (
  ledgerPath: string,
  place: SwitchPlace,
  at: number,
  until?: number,
): void => void changeSaid(ledgerPath, at, withOff(place, at, until));

/** Takes back every switch that holds for a session. */
export const withoutOff =
  (session: string, at: number): SaidChange =>
  (said) =>
    withOn({ ...said, off: said.off.filter((each) => !holdsFor(each, '', session)) }, session, at);

const holdsFor = (each: SwitchedOff, folder: string, session: string | undefined): boolean =>
  (each.folder === undefined || isBelow(folder, each.folder)) &&
  (each.session === undefined || session === undefined || each.session === session);

/** Removes every switch that applies to a folder and a session. False if there were none. */
export const switchOn = (
  ledgerPath: string,
  folder: string,
  session: string | undefined,
  at: number,
): boolean => takeBack(ledgerPath, at, (each) => holdsFor(each, folder, session), session);

/** Takes back these switches, for a session or for all. False where there are none. */
export function takeBack(
  ledgerPath: string,
  at: number,
  isMeant: (each: SwitchedOff) => boolean,
  session?: string,
): boolean {
  let count = 0;
  changeSaid(ledgerPath, at, (said) => {
    const off = said.off.filter((each) => !isMeant(each));
    count = said.off.length - off.length;
    return session === undefined ? { ...said, off } : withOn({ ...said, off }, session, at);
  });
  return count > 0;
}

const isSame = (one: SwitchPlace, other: SwitchPlace): boolean =>
  one.folder === other.folder && one.session === other.session;

/** What is said besides, where there is a trial. */
export const LEFT_TRIAL = 'This session counts in no trial any more.';

/** The scope and end of a switch, in words. */
export function offText({ folder, session, until }: SwitchedOff): string {
  const where =
    session !== undefined
      ? 'for this session'
      : folder === undefined
        ? 'everywhere'
        : `in ${folder}`;
  return until === undefined
    ? where
    : `${where} until ${new Date(until).toTimeString().slice(0, 5)}`;
}
