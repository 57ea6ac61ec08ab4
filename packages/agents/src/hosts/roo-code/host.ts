import { editorTasks } from '../cline/host.ts';
import { defineHost } from '../define-host.ts';

/** Its tasks are read as `anthropic-messages`. */
export const rooCode = defineHost({
  name: 'roo-code',
  label: 'Roo Code',
  runs: (at) => [editorTasks(at, 'rooveterinaryinc.roo-cline')],
});
