/** A file named in a line of text. */
export interface FileName {
  /**
   * The path as written, shortened: a relative path in full, the last two parts of an absolute one.
   */
  name: string;
  /** Start and end of the mention in the line. */
  start: number;
  end: number;
}

const EXTENSIONS = new Set(
  (
    'ts tsx js jsx mjs cjs mts cts json jsonc json5 jsonl md mdx rst txt adoc py pyi pyx ipynb go mod sum rs java kt kts scala sc groovy clj cljs cljc ' +
    'edn rb erb rake gemspec php phtml c h cc cpp cxx hpp hh hxx inl cu m mm swift cs csproj sln fs fsx vb lua pl pm r rmd jl dart ex exs eex heex erl hrl hs ' +
    'elm ml mli purs nim zig d sol vy move cairo v sv vhd vhdl sql prisma sh bash zsh fish ps1 psm1 bat cmd html htm xhtml css scss sass less styl vue ' +
    'svelte astro hbs ejs pug njk liquid jinja j2 xml xsd xsl yaml yml toml ini cfg conf env lock gradle properties proto thrift graphql gql tf tfvars ' +
    'hcl nix cmake mk mak bazel bzl csv tsv log svg png jpg jpeg gif ico pdf tex bib http wat wasm asm s snap patch diff po plist strings xib storyboard'
  ).split(' '),
);
const BARE =
  /^(?:Makefile|Dockerfile|Containerfile|Gemfile|Rakefile|Procfile|Jenkinsfile|Vagrantfile|Justfile|justfile|Brewfile|\.env|\.gitignore|\.npmrc|\.eslintrc|\.prettierrc|\.babelrc|\.dockerignore|\.editorconfig)$/;
/** Products whose names look like files. */
const PRODUCT =
  /^(?:Node|Next|Nuxt|Vue|Express|React|Ember|Angular|Three|Chart|Backbone|Nest|D3|P5|Alpine|Solid|Discord)\.js$/;
const MAX_LENGTH = 60;

/** The files that a line mentions, in order. Works for text in any language. */
export function filesIn(line: string): FileName[] {
  const found: FileName[] = [];
  for (let i = 0; i < line.length; ) {
    if (!isPathCharacter(line.charCodeAt(i))) {
      i++;
      continue;
    }
    let end = i;
    while (end < line.length && isPathCharacter(line.charCodeAt(end))) end++;
    const name = fileName(line.slice(i, end));
    if (name !== null) found.push({ name, start: i, end });
    i = end;
  }
  return found;
}

/**
 * Letters, digits and `_ - . / \ @ ~ + $`. Spaces, quotes and colons are excluded, so line numbers
 * are not part of a path.
 */
function isPathCharacter(code: number): boolean {
  if (code >= 97 ? code <= 122 : code >= 65 && code <= 90) return true;
  if (code >= 45 && code <= 57) return true;
  return (
    code === 95 ||
    code === 92 ||
    code === 64 ||
    code === 126 ||
    code === 43 ||
    code === 36 ||
    code > 0xbf
  );
}

/** The short form of a text that may be a file name; null if it is not one. */
export function fileName(text: string): string | null {
  let path = text.replace(/[.\\/-]+$/, '').replaceAll('\\', '/');
  if (path.startsWith('///')) path = path.slice(2);
  else if (path.startsWith('//')) return null;
  path = path.replace(/^(?:\.\/|-)+/, '');
  const base = path.slice(path.lastIndexOf('/') + 1);
  const dot = base.lastIndexOf('.');
  const extension = base.slice(dot + 1);
  const known =
    dot > 0 &&
    (EXTENSIONS.has(extension.toLowerCase()) ||
      (path.includes('/') && /^[a-z][a-z0-9]{0,4}$/i.test(extension)));
  if ((!known || !/^[\w.@+$~-]|^[^\0-\x7f]/.test(base) || PRODUCT.test(path)) && !BARE.test(base))
    return null;
  if (!/^[/~]/.test(path)) return path.slice(-MAX_LENGTH);
  const parent = path.split('/').at(-2) ?? '';
  // A parent directory with a longer number or a hash belongs to a single run.
  return (/^[A-Za-z][A-Za-z_.-]*\d{0,2}$/.test(parent) ? `${parent}/${base}` : base).slice(
    -MAX_LENGTH,
  );
}
