import { changeSaid, isBelow, type SwitchedOff } from '../../config/said.ts';

/** What a switch is for: a session, a folder, or everything. */
export type SwitchPlace = Pick<SwitchedOff, 'folder' | 'session'>;

/** Nothing is said or done there any more; it is still recorded. `until` is in epoch milliseconds. */
export function switchOff(ledgerPath: string, place: SwitchPlace, at: number, until?: number): void {
  changeSaid(ledgerPath, at, (said) => ({
    ...said,
    off: [...said.off.filter((each) => !isSame(each, place)), { ...place, at, ...(until === undefined ? {} : { until }) }],
  }));
}

/** Takes back every switch that holds in a folder and a session. False where nothing was off. */
export function switchOn(ledgerPath: string, folder: string, session: string | undefined, at: number): boolean {
  let count = 0;
  const holds = (each: SwitchedOff): boolean =>
    (each.folder === undefined || isBelow(folder, each.folder)) &&
    (each.session === undefined || session === undefined || each.session === session);
  changeSaid(ledgerPath, at, (said) => {
    count = said.off.filter(holds).length;
    return { ...said, off: said.off.filter((each) => !holds(each)) };
  });
  return count > 0;
}

const isSame = (one: SwitchPlace, other: SwitchPlace): boolean => one.folder === other.folder && one.session === other.session;

/** Where and until when it is off, in words. */
export function offText({ folder, session, until }: SwitchedOff): string {
  const where = session !== undefined ? 'for this session' : folder === undefined ? 'everywhere' : `in ${folder}`;
  return until === undefined ? where : `${where} until ${new Date(until).toTimeString().slice(0, 5)}`;
}
