import { editorTasks } from '../cline/host.ts';
import { defineHost } from '../define-host.ts';

/** Its tasks are read as `anthropic-messages`. */
export const kiloCode = defineHost({
  name: 'kilo-code',
  label: 'Kilo Code',
  runs: (at) => [editorTasks(at, 'kilocode.kilo-code')],
});
