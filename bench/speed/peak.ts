import { scan } from '@unrut/logs/scan/scan';

/** Scans one file, and prints how much memory that took at most. */
const { totals } = await scan({ paths: [process.argv[2]!] });
console.log(
  JSON.stringify({
    megabytes: Math.round(process.resourceUsage().maxRSS / 1024),
    steps: totals.steps,
  }),
);
