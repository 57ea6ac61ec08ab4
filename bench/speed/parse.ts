import { readFileSync } from 'node:fs';

/** What anybody would have to do with transcripts: parse every line of the files that are named. */
for (const path of process.argv.slice(2))
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) JSON.parse(line);
