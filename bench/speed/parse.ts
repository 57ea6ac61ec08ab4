import { readFileSync } from 'node:fs';

/** The minimum work on transcripts: parsing every line of the given files. */
for (const path of process.argv.slice(2))
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) JSON.parse(line);
