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
    summary: 'Notices when AI agents go round in circles.',
    description: 'Every refusal has a code for programs and a line for people. Texts are redacted; times are epoch milliseconds.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  security: [{}, { token: [] }],
  tags: [
    { name: 'report', description: 'For agents and their programs.' },
    { name: 'look', description: 'What was recorded.' },
    { name: 'computer use', description: 'Runs in a browser; off unless they are allowed.' },
    { name: 'operate', description: 'For whoever runs the server.' },
  ],
  paths,
  components: {
    schemas: { ...recordSchemas, ...answerSchemas, ...cuaSchemas },
    securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'Needed where the server was started with a token.' } },
  },
});
