import { scan } from '@unrut/logs/scan/scan';

/**
 * Scans a path and prints the report, as a user to whom something can be closed: nothing is to
 * root.
 */
if (process.getuid?.() === 0) process.setuid!(65534);
console.log(JSON.stringify(await scan({ paths: [process.argv[2]!] })));
