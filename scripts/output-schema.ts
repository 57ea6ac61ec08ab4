import { join } from 'node:path';
import { API, type Checker, type Type, type Symbol as TypeSymbol } from 'typescript/unstable/sync';
import { root } from './build.ts';

/** The file that is shipped. */
export const outputSchemaFile: string = join(root, 'schemas/output.schema.json');
type Schema = { [keyword: string]: unknown };

/** SymbolFlags.Optional: the compiler does not export it. */
const OPTIONAL = 1 << 24;

/**
 * JSON Schema of all that commands print as JSON, from the types that hold them to it: a definition
 * for each command, and for each named type.
 */
export const makeOutputSchema = (): Schema =>
  withInterface('packages/cli/src/printed.ts', 'Printed', (checker, members) => {
    const translate = createTranslator(checker);
    const commands = members.map((symbol): [string, Schema] => [
      symbol.name,
      described(checker, symbol, translate.schemaOf(checker.getTypeOfSymbol(symbol)!)),
    ]);
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'What the commands of Unrut print as JSON',
      description:
        'A definition for each command, such as #/$defs/scan. Fields may be added; a field that changes or goes changes `version`.',
      $defs: Object.fromEntries([...commands, ...sorted(translate.definitions)]),
    };
  });

const sorted = (definitions: Record<string, Schema>): [string, Schema][] =>
  Object.entries(definitions).sort(([one], [other]) => (one < other ? -1 : 1));

/** Reads the members of an interface as the compiler sees them. */
function withInterface(
  file: string,
  name: string,
  make: (checker: Checker, members: readonly TypeSymbol[]) => Schema,
): Schema {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] });
    const { checker, program } = snapshot.getProject(join(root, 'tsconfig.json'))!;
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, file))!)!;
    const type = checker.getDeclaredTypeOfSymbol(checker.getMemberInModuleExports(module, name)!);
    return make(checker, checker.getPropertiesOfType(type));
  } finally {
    api.close();
  }
}

function described(checker: Checker, symbol: TypeSymbol, schema: Schema): Schema {
  const description = checker.getDocumentationCommentOfSymbol(symbol).replace(/\s+/g, ' ').trim();
  return description === '' ? schema : { description, ...schema };
}

function createTranslator(checker: Checker) {
  const definitions: Record<string, Schema> = {};

  /** Interfaces and aliases of our own are named once. */
  function nameOf(type: Type): string | undefined {
    const symbol = type.getAliasSymbol() ?? type.getSymbol();
    if (
      !symbol ||
      /^__|^(?:Array|ReadonlyArray|Record|Omit|Pick|Partial|Readonly|Map|Set|ReadonlySet|ReadonlyMap)$/.test(
        symbol.name,
      )
    )
      return undefined;
    if (type.getAliasTypeArguments().length > 0) return undefined;
    return symbol.name;
  }

  function schemaOf(type: Type): Schema {
    const name =
      type.isObjectType() || type.isUnionType() || type.isIntersectionType()
        ? nameOf(type)
        : undefined;
    if (name === undefined) return inline(type);
    // Whatever JSON can hold.
    if (name === 'Json') return {};
    if (!(name in definitions)) {
      definitions[name] = {};
      const symbol = (type.getAliasSymbol() ?? type.getSymbol())!;
      definitions[name] = described(checker, symbol, inline(type));
    }
    return { $ref: `#/$defs/${name}` };
  }

  function inline(type: Type): Schema {
    if (type.isUnionType()) return union(type.getTypes());
    if (type.isLiteralType()) return { const: type.value };
    if (type.isIntrinsicType()) return intrinsic(checker.typeToString(type));
    if (type.isTupleType() || checker.isTupleType(type)) return tuple(type);
    if (checker.isArrayType(type))
      return { type: 'array', items: schemaOf(checker.getTypeArguments(type as never)[0]!) };
    if (type.isTemplateLiteralType()) return { type: 'string' };
    return object(type);
  }

  function tuple(type: Type): Schema {
    const items = checker.getTypeArguments(type as never).map(schemaOf);
    return { type: 'array', prefixItems: items, minItems: items.length, maxItems: items.length };
  }

  function union(types: readonly Type[]): Schema {
    const schemas = types
      .filter((each) => checker.typeToString(each) !== 'undefined')
      .map(schemaOf);
    const constants = schemas.filter((each) => 'const' in each);
    const rest = schemas.filter((each) => !('const' in each));
    const values = constants.map((each) => each.const);
    const isBoolean = values.includes(true) && values.includes(false);
    const others = values.filter((value) => !isBoolean || typeof value !== 'boolean');
    const all = [
      ...rest,
      ...(isBoolean ? [{ type: 'boolean' }] : []),
      ...(others.length > 1 ? [{ enum: others }] : others.map((value) => ({ const: value }))),
    ];
    return all.length === 1 ? all[0]! : { anyOf: all };
  }

  function object(type: Type): Schema {
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (const symbol of checker.getPropertiesOfType(type)) {
      const of = checker.getTypeOfSymbol(symbol)!;
      properties[symbol.name] = described(checker, symbol, schemaOf(of));
      if ((symbol.flags & OPTIONAL) === 0) required.push(symbol.name);
    }
    const [index] = checker.getIndexInfosOfType(type);
    return {
      type: 'object',
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
      ...(index ? { additionalProperties: schemaOf(index.valueType) } : {}),
    };
  }

  return { definitions, schemaOf };
}

function intrinsic(name: string): Schema {
  if (name === 'unknown' || name === 'any') return {};
  if (['string', 'number', 'boolean', 'null', 'object'].includes(name)) return { type: name };
  if (name === 'true' || name === 'false') return { const: name === 'true' };
  throw new Error(`What commands print has a part of type ${name}, which JSON cannot hold`);
}
