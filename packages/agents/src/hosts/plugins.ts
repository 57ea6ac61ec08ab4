// Plugins that hosts load into their own processes; bundled into one file, `agent-plugins.js`.
export { createAmpPlugin } from './amp/plugin.ts';
export { createOpenclawPlugin } from './openclaw/plugin.ts';
export { createOpencodePlugin } from './opencode/plugin.ts';
export { createPiExtension } from './pi/plugin.ts';
