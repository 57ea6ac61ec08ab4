import { createHash } from 'node:crypto';
import { type Peer, sortedJson } from './peer.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Hermes' guard rails: failures by call and by tool, consecutive equal results, and cycles of two to four calls with equal results. */
export const hermes: Peer = {
  name: 'Hermes',
  start() {
    const failures = new Map<string, number>();
    const byTool = new Map<string, number>();
    const trail: string[] = [];
    return ({ tool, args, result, failed }) => {
      const signature = `${tool} ${hash(sortedJson(args))}`;
      let level: string | null = null;
      if (failed) {
        failures.set(signature, (failures.get(signature) ?? 0) + 1);
        byTool.set(tool, (byTool.get(tool) ?? 0) + 1);
        if (failures.get(signature)! >= 2 || byTool.get(tool)! >= 3) level = 'note';
        if (failures.get(signature)! >= 5 || byTool.get(tool)! >= 8) level = 'halt';
      } else {
        failures.delete(signature);
        byTool.delete(tool);
      }
      trail.push(`${signature} ${hash(result)}`);
      if (trail.length > 64) trail.shift();
      const laps = (period: number): number => {
        let i = trail.length - 1;
        while (i - period >= 0 && trail[i] === trail[i - period]) i--;
        return Math.floor((trail.length - 1 - i + period) / period);
      };
      for (let period = 1; period <= 4; period++) {
        const made = trail.length >= period ? laps(period) : 0;
        if (made >= 5) return 'halt';
        if (made >= 3) level ??= 'note';
      }
      return level;
    };
  },
};
