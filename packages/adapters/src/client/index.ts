export type { ClientVerdict } from './client-verdict.ts';
export { type Client, type ClientOptions, createClient } from './create-client.ts';
