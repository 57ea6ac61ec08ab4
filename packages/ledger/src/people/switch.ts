import { present } from '@unrut/engine/json';
import { changeSaid, isBelow, type SaidChange, type SwitchedOff } from './said.ts';

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
  });

/** `withOff`, saved in the file next to a ledger. */
export const switchOff = (
  ledgerPath: string,
  place: SwitchPlace,
  at: number,
  until?: number,
): void => void changeSaid(ledgerPath, at, withOff(place, at, until));

/** Removes every switch that applies to a folder and a session. */
export const withoutOff =
  (folder: string, session: string | undefined): SaidChange =>
  (said) => ({ ...said, off: said.off.filter((each) => !holdsFor(each, folder, session)) });

const holdsFor = (each: SwitchedOff, folder: string, session: string | undefined): boolean =>
  (each.folder === undefined || isBelow(folder, each.folder)) &&
  (each.session === undefined || session === undefined || each.session === session);

/** Removes every switch that applies to a folder and a session. False if there were none. */
export const switchOn = (
  ledgerPath: string,
  folder: string,
  session: string | undefined,
  at: number,
): boolean => takeBack(ledgerPath, at, (each) => holdsFor(each, folder, session));

/** Removes these switches. False if there were none. */
export function takeBack(
  ledgerPath: string,
  at: number,
  isMeant: (each: SwitchedOff) => boolean,
): boolean {
  let count = 0;
  changeSaid(ledgerPath, at, (said) => {
    const off = said.off.filter((each) => !isMeant(each));
    count = said.off.length - off.length;
    return { ...said, off };
  });
  return count > 0;
}

const isSame = (one: SwitchPlace, other: SwitchPlace): boolean =>
  one.folder === other.folder && one.session === other.session;

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
