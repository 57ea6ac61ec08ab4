import type { Peer } from './peer.ts';

/** The OpenHands SDK: in the last 20 events, four equal actions with equal observations, three equal ones that failed, or six alternating. */
export const openHandsSdk: Peer = {
  name: 'OpenHands SDK',
  start() {
    const pairs: { action: string; observation: string; failed: boolean }[] = [];
    return ({ tool, args, result, failed }) => {
      pairs.push({ action: `${tool} ${JSON.stringify(args)}`, observation: result, failed });
      if (pairs.length > 10) pairs.shift();
      const equal = (a: number, b: number): boolean => {
        const [x, y] = [pairs.at(a)!, pairs.at(b)!];
        return x.action === y.action && x.observation === y.observation;
      };
      if (pairs.length >= 4 && equal(-1, -2) && equal(-2, -3) && equal(-3, -4)) return 'stuck';
      const sameAction = (a: number, b: number): boolean => pairs.at(a)!.action === pairs.at(b)!.action;
      if (pairs.length >= 3 && pairs.slice(-3).every((pair) => pair.failed) && sameAction(-1, -2) && sameAction(-2, -3)) {
        return pairs.length >= 4 && pairs.at(-4)!.failed && sameAction(-3, -4) ? 'stuck' : 'nudge';
      }
      if (pairs.length >= 6 && [1, 2, 3, 4].every((i) => equal(-i, -i - 2)) && !equal(-1, -2)) return 'stuck';
      return null;
    };
  },
};
