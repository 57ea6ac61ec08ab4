import type { Config } from './config.ts';

/** Gives `unrut.config.ts` its types: `export default defineConfig({ … })`. */
export const defineConfig = (config: Config): Config => config;
