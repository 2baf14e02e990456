// Writes the chunks of a split build as one CommonJS file and a pack beside it. What a start needs is code in the file; what is
// loaded later (Express, the dashboard, yargs, most of the protocol) is compressed text in the pack, read, unpacked and compiled
// on first use; it is opened at once, so that a later build does not matter. What is needed only where somebody chose it (a library
// for one kind of file) is in a pack of its own, opened when it is needed. The same chunks as plain files cost a start 1.40 times
// the CPU, one plain file 1.97 times (docs/architecture.md). Inside the file even text that is never used would cost each start its reading: 2 ms for 500 KB.
import { brotliCompressSync } from 'node:zlib';
import { build, transform } from 'esbuild';

const entry = 'src/main.ts';

/** Loaded before all else: an RSA key takes longer than the rest of a start. */
const early = ['src/protocol/tokens/signing-key.ts'];

/**
 * Imported dynamically, because `healthcheck` does without, but compiled with the file, as one chunk: of the many that shared
 * imports make of it each would cost its share. The loader of `clients.config.ts` is among it because `import()` of a file
 * outside the bundle does not work in text.
 */
const compiled = ['src/sandbox/config/load-config.ts', 'src/sandbox/config/clients-file.ts', 'src/sandbox/sandbox.ts'];

/**
 * Folders with a pack of their own, by its name. The parser of YAML is of use to those only whose configuration is YAML;
 * bcrypt to those whose users have hashes by it; the lessons, with the reader of their Markdown, to those who open one; the catalogue to those who switch it on or open its page;
 * a preset to those who choose it, its management API to those who call it, the readers of
 * exports to those who import one, and the twin of a tenant to those who make one.
 */
const ofChoice = [
  ['yaml', 'node_modules/yaml/'],
  ['bcrypt', 'node_modules/bcryptjs/'],
  ['grantbox', 'src/dashboard/dashboard.ts'],
  ['grantbox', 'src/extensions/lessons/demo-app/'],
  ['grantbox', 'src/extensions/lessons/composition/'],
  ['lessons', 'src/extensions/lessons/'],
  ['lessons', 'src/extensions/lessons/playground/'],
  ['lessons', 'src/extensions/lessons/workshop/'],
  ['catalogue', 'src/extensions/catalogue/'],
  ['lessons', 'node_modules/marked/'],
  ['provider-cognito-pool', 'src/providers/cognito/pool/'],
  ['provider-cognito', 'src/providers/cognito/'],
  ['provider-google', 'src/providers/google/'],
  ['provider-github-api', 'src/providers/github/api/'],
  ['provider-github', 'src/providers/github/'],
  ['provider-apple', 'src/providers/apple/'],
  ['provider-keycloak-admin', 'src/providers/keycloak/admin/'],
  ['provider-keycloak', 'src/providers/keycloak/'],
  ['provider-workloads', 'src/providers/workloads/'],
  ['provider-shapes', 'src/providers/shapes/'],
  ['provider-auth0-api', 'src/providers/auth0/api/'],
  ['provider-auth0', 'src/providers/auth0/'],
  ['provider-entra-graph', 'src/providers/entra/graph/'],
  ['provider-entra', 'src/providers/entra/'],
  ['provider-okta-admin', 'src/providers/okta/admin/'],
  ['provider-okta', 'src/providers/okta/'],
  ['metrics', 'src/extensions/metrics/'],
  ['metrics', 'src/extensions/metrics/issuer-metrics.ts'],
  // it comes with prom-client; traces take the one that is installed
  ['metrics', 'node_modules/@opentelemetry/api/'],
  ['tracing', 'src/extensions/tracing/'],
  ['import-mocks', 'src/extensions/import/mock-'],
  ['import-mocks', 'src/extensions/import/oidc-server-mock'],
  ['import', 'src/extensions/import/'],
  ['twin', 'src/extensions/twin/'],
  ['state', 'src/extensions/state/'],
  ['state', 'src/extensions/state/'],
  ['shared-store', 'src/extensions/replicas/'],
  ['shared-store', 'src/extensions/replicas/parts/'],
  ['shared-store', 'node_modules/@redis/client/'],
  ['webhooks', 'src/extensions/webhooks/'],
  ['webhooks', 'src/extensions/webhooks/load-webhooks.ts'],
  ['mcp', 'src/extensions/mcp/'],
  ['mcp', 'src/extensions/mcp/mcp-command.ts'],
  ['mcp', 'node_modules/@modelcontextprotocol/'],
  ['open', 'src/extensions/sharing/'],
];

/**
 * @param {import('esbuild').Metafile} metafile of a build with `splitting` and one entry
 * @param {ReadonlyMap<string, string>} texts output path → ES module source
 */
export async function pack(metafile, texts) {
  const outputs = Object.entries(metafile.outputs).filter(([path]) => path.endsWith('.js'));
  const names = shortNames(outputs.map(([path]) => baseName(path)));
  const commonJs = (source, options) => asCommonJs(source, names, options);
  const chunkOf = source => {
    const chunk = outputs.find(([, output]) => output.entryPoint === source)?.[0];
    if (chunk === undefined) throw new Error(`the build has no chunk for ${source}`);
    return chunk;
  };
  const first = new Set([entry, ...early].flatMap(source => [...staticImports(metafile, chunkOf(source))]));
  const all = compiled.flatMap(source => [...staticImports(metafile, chunkOf(source))]);
  const joined = new Set(all.filter(path => !first.has(path)));
  const parts = [`"start":${compiledNow(await commonJs(await join(metafile, texts, joined)))}`];
  const places = [];
  const packs = { grantbox: [] };
  for (const [path] of outputs) {
    if (path === chunkOf(entry)) continue;
    const name = names.get(baseName(path));
    if (joined.has(path)) {
      places.push(`${name} ${memberName(path)}`);
      continue;
    }
    const code = await commonJs(texts.get(path) ?? '');
    if (first.has(path)) {
      parts.push(`${JSON.stringify(name)}:${compiledNow(code)}`);
    } else {
      const bytes = brotliCompressSync(code);
      const own = packOf(metafile.outputs[path]);
      packs[own] ??= [];
      places.push(`${name} ${sizeOf(packs[own])} ${bytes.length} ${own}`);
      packs[own].push(bytes);
    }
  }
  const sizes = Object.fromEntries(Object.entries(packs).map(([name, chunks]) => [name, sizeOf(chunks)]));
  const file = `#!/usr/bin/env node
"use strict";
const __chunks={${parts.join(',\n')}};
const __places=${JSON.stringify(`\n${places.join('\n')}\n`)};
${loader(sizes)}
${await commonJs(texts.get(chunkOf(entry)) ?? '', { require: '__require' })}
if(require.main===module)module.exports.main();
`;
  return { file, packs: Object.entries(packs).map(([name, chunks]) => [`${name}.pack`, Buffer.concat(chunks)]) };
}

const sizeOf = chunks => chunks.reduce((sum, { length }) => sum + length, 0);

/** The pack of a chunk: its own where all of a package that was chosen is in it. */
function packOf({ inputs }) {
  const [name] = ofChoice.find(([, folder]) => Object.keys(inputs).some(file => file.includes(folder))) ?? [];
  return name ?? 'grantbox';
}

/** Many chunks as one ES module: what somebody outside needs of each is a member. */
async function join(metafile, texts, paths) {
  const needed = [...paths].filter(path => isImportedFrom(metafile, path, paths));
  const contents = needed.map(path => `export * as ${memberName(path)} from "./${baseName(path)}";`).join('\n');
  const byName = new Map([...paths].map(path => [baseName(path), texts.get(path)]));
  const chunks = {
    name: 'chunks',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\// }, ({ path, kind }) => {
        const isInside = kind === 'import-statement' && byName.has(path.slice(2));
        return isInside ? { path: path.slice(2), namespace: 'chunk' } : { path, external: true };
      });
      onLoad({ filter: /./, namespace: 'chunk' }, ({ path }) => ({ contents: byName.get(path) }));
    },
  };
  const stdin = { contents, sourcefile: 'start.js' };
  const options = { bundle: true, write: false, format: 'esm', platform: 'node', target: 'node20.19' };
  const { outputFiles } = await build({
    ...options,
    stdin,
    plugins: [chunks],
    external: ['jiti'],
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

/** Whether anything but those chunks imports it, or one of them dynamically. */
function isImportedFrom(metafile, path, paths) {
  return Object.entries(metafile.outputs).some(([from, { imports }]) =>
    imports.some(each => each.path === path && (!paths.has(from) || each.kind === 'dynamic-import')),
  );
}

/** In parentheses, because V8 then compiles it with the file and does not read it a second time. */
const compiledNow = code => `(function(require,module,exports){\n${code}\n})`;

const baseName = path => path.slice(path.lastIndexOf('/') + 1);

/**
 * The names of chunks without the hash, which nobody needs where all of them are in one file: 8 kB that each start would read. At
 * 385 kB the memory of a start grows by 2 MiB at once.
 */
function shortNames(files) {
  const taken = new Set(['start']);
  return new Map(
    files.map(file => {
      const stem = file.replace(/(?:-[A-Z0-9]{8})?\.js$/, '');
      let name = stem;
      for (let count = 2; taken.has(name); count++) name = stem + count;
      taken.add(name);
      return [file, name];
    }),
  );
}

const memberName = path => baseName(path).replace(/\W/g, '_');

/** All chunks that are loaded with the entry. */
function staticImports(metafile, entry, seen = new Set([entry])) {
  for (const { path, kind, external } of metafile.outputs[entry].imports) {
    if (external || kind !== 'import-statement' || seen.has(path)) continue;
    seen.add(path);
    staticImports(metafile, path, seen);
  }
  return seen;
}

/** An ES module chunk as CommonJS. An import of another chunk goes to the loader, any other stays Node's. */
async function asCommonJs(source, names, { require = 'require' } = {}) {
  const { code } = await transform(source, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    minifyWhitespace: true,
  });
  return withoutHelpers(code)
    .replace(/\bimport\("\.\/([\w-]+\.js)"\)/g, (_, name) => `${require}.later("./${names.get(name)}")`)
    .replace(/\brequire\("\.\/([\w-]+\.js)"\)/g, (_, name) => `${require}("./${names.get(name)}")`)
    .trim();
}

/** The functions of the bundler by which a chunk exports and imports. The loader has them once, and gives them to each chunk. */
const helpers = ['__export', '__toESM', '__toCommonJS'];
const { code: helpersText } = await transform('import a from "a"; export const b = a;', {
  format: 'cjs',
  platform: 'node',
  minifyWhitespace: true,
});
const helpersCode = beforeExports(helpersText);

/** A chunk without those functions: 0.3 kB, compressed, in each of 300 chunks. */
function withoutHelpers(code) {
  return code.slice(beforeExports(code).length);
}

/** The definitions of those functions, which begin a chunk with exports. */
function beforeExports(code) {
  return /^(?:var __(?:create|defProp) ?=[\s\S]*?)(?=var stdin_exports ?= ?\{\};)/.exec(code)?.[0] ?? '';
}

/** Places are one text, searched when a chunk is loaded: as members of an object, their 300 names would cost each start memory. */
const loader = sizes => `const __loaded={};
const [${helpers}]=(()=>{${helpersCode}return[${helpers}]})();
const __fs=require("node:fs");
const __open=pack=>__fs.openSync(__dirname+"/"+pack+".pack");
const __packs={grantbox:__open("grantbox")};
function __unpack([at,size,pack]){
const file=__packs[pack]??=__open(pack);
if(__fs.fstatSync(file).size!==${JSON.stringify(sizes)}[pack])throw new Error(pack+".pack is of another build than grantbox.cjs: install grantbox again");
const bytes=Buffer.alloc(Number(size));
__fs.readSync(file,bytes,0,bytes.length,Number(at));
return String(require("node:zlib").brotliDecompressSync(bytes));
}
function __placeOf(name){
const at=__places.indexOf("\\n"+name+" ");
return at<0?undefined:__places.slice(at+name.length+2,__places.indexOf("\\n",at+1)).split(" ");
}
function __require(name){
if(__loaded[name]!==undefined)return __loaded[name].exports;
const own=name.startsWith("./")?__chunks[name.slice(2)]??__placeOf(name.slice(2)):undefined;
if(own===undefined)return require(name);
if(own.length===1&&typeof own!=="function")return __require("./start")[own[0]];
const made=__loaded[name]={exports:{}};
const run=typeof own==="function"?own:require("node:vm").compileFunction(__unpack(own),["require","module","exports","__dirname","__fileUrl",${helpers.map(name => JSON.stringify(name))}],{filename:__dirname+"/grantbox/"+name.slice(2)+".js"});
run(__require,made,made.exports,__dirname,require("node:url").pathToFileURL(__filename).href,${helpers});
return made.exports;
}
__require.later=name=>Promise.resolve().then(()=>__require(name));`;
