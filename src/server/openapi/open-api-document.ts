import { answerSchemas } from './answer-schemas.ts';
import { cuaSchemas } from './cua-schemas.ts';
import { paths } from './paths.ts';
import { recordSchemas } from './record-schemas.ts';

/** The API in OpenAPI 3.1. */
export const openApiDocument = (version: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Unrut',
    version,
    summary: 'Detects when AI agents are stuck in a loop.',
    description: 'Every error has a code for programs and one line for people. Texts are redacted; times are epoch milliseconds.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  security: [{}, { token: [] }],
  tags: [
    { name: 'report', description: 'Reporting by agents.' },
    { name: 'look', description: 'Recorded data.' },
    { name: 'computer use', description: 'Runs in a browser; off by default.' },
    { name: 'operate', description: 'Operating the server.' },
  ],
  paths,
  components: {
    schemas: { ...recordSchemas, ...answerSchemas, ...cuaSchemas },
    securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'Required if the server was started with a token.' } },
  },
});
