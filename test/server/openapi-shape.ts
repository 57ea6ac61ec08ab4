/**
 * What the specification of OpenAPI 3.1 asks of the parts that are used here, as JSON Schema: names
 * it does not know are refused.
 */
export const OPENAPI_SHAPE = {
  type: 'object',
  required: ['openapi', 'info', 'paths'],
  additionalProperties: false,
  properties: {
    openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
    info: {
      type: 'object',
      required: ['title', 'version'],
      additionalProperties: false,
      properties: {
        title: { type: 'string' },
        version: { type: 'string' },
        summary: { type: 'string' },
        description: { type: 'string' },
        license: {
          type: 'object',
          required: ['name'],
          additionalProperties: false,
          properties: {
            name: { type: 'string' },
            identifier: { type: 'string' },
            url: { type: 'string' },
          },
        },
      },
    },
    servers: {
      type: 'array',
      items: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
    },
    security: { $ref: '#/$defs/security' },
    tags: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: { name: { type: 'string' }, description: { type: 'string' } },
      },
    },
    paths: {
      type: 'object',
      patternProperties: { '^/': { $ref: '#/$defs/path' } },
      additionalProperties: false,
    },
    components: {
      type: 'object',
      additionalProperties: false,
      properties: {
        schemas: {
          type: 'object',
          propertyNames: { pattern: '^[a-zA-Z0-9._-]+$' },
          additionalProperties: { $ref: 'https://json-schema.org/draft/2020-12/schema' },
        },
        securitySchemes: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            required: ['type', 'scheme'],
            properties: {
              type: { const: 'http' },
              scheme: { const: 'bearer' },
              description: { type: 'string' },
            },
            additionalProperties: false,
          },
        },
      },
    },
  },
  $defs: {
    security: {
      type: 'array',
      items: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    },
    content: {
      type: 'object',
      propertyNames: { pattern: '^[a-z]+/[a-z0-9.+-]+$' },
      additionalProperties: {
        type: 'object',
        required: ['schema'],
        additionalProperties: false,
        properties: { schema: { $ref: 'https://json-schema.org/draft/2020-12/schema' } },
      },
    },
    path: {
      type: 'object',
      propertyNames: {
        enum: ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'],
      },
      additionalProperties: { $ref: '#/$defs/operation' },
    },
    operation: {
      type: 'object',
      required: ['operationId', 'summary', 'tags', 'responses'],
      additionalProperties: false,
      properties: {
        operationId: { type: 'string', pattern: '^[a-zA-Z]+$' },
        summary: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        parameters: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'in', 'schema'],
            additionalProperties: false,
            properties: {
              name: { type: 'string' },
              in: { enum: ['query', 'header', 'path', 'cookie'] },
              required: { type: 'boolean' },
              description: { type: 'string' },
              schema: { $ref: 'https://json-schema.org/draft/2020-12/schema' },
            },
          },
        },
        requestBody: {
          type: 'object',
          required: ['content'],
          additionalProperties: false,
          properties: {
            required: { type: 'boolean' },
            description: { type: 'string' },
            content: { $ref: '#/$defs/content' },
          },
        },
        responses: {
          type: 'object',
          minProperties: 1,
          patternProperties: {
            '^[1-5]\\d\\d$': {
              type: 'object',
              required: ['description'],
              additionalProperties: false,
              properties: { description: { type: 'string' }, content: { $ref: '#/$defs/content' } },
            },
          },
          additionalProperties: false,
        },
        security: { $ref: '#/$defs/security' },
      },
    },
  },
} as const;
