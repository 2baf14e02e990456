// Writes the chunks of a split build as one CommonJS file. What a start needs is code; what is loaded later (Express, the
// dashboard, yargs, the schema checks) is compressed text, unpacked and compiled on first use: at a start it is only read.
import { brotliCompressSync } from 'node:zlib';
import { transform } from 'esbuild';

/**
 * Imported dynamically, because `healthcheck` does without, but compiled with the file. The loader of `clients.config.ts` is
 * among it because `import()` of a file outside the bundle does not work in text.
 */
const compiled = [
  'src/config/load-config.ts',
  'src/config/clients-file.ts',
  'src/oauth/tokens/signing-keys.ts',
  'src/sandbox.ts',
];

/**
 * @param {import('esbuild').Metafile} metafile of a build with `splitting` and one entry
 * @param {ReadonlyMap<string, string>} texts output path → ES module source
 */
export async function oneFile(metafile, texts) {
  const outputs = Object.entries(metafile.outputs).filter(([path]) => path.endsWith('.js'));
  const chunkOf = source => {
    const chunk = outputs.find(([, output]) => output.entryPoint === source)?.[0];
    if (chunk === undefined) throw new Error(`the build has no chunk for ${source}`);
    return chunk;
  };
  const entry = chunkOf('src/main.ts');
  const eager = new Set([
    ...staticImports(metafile, entry),
    ...compiled.flatMap(source => [...staticImports(metafile, chunkOf(source))]),
  ]);
  const parts = [];
  for (const [path] of outputs) {
    if (path === entry) continue;
    const name = JSON.stringify(baseName(path));
    const code = await commonJs(texts.get(path) ?? '', { minifyWhitespace: !eager.has(path) });
    parts.push(`${name}:${eager.has(path) ? compiledNow(code) : compressed(code)}`);
  }
  return `#!/usr/bin/env node
"use strict";
const __chunks={${parts.join(',\n')}};
${loader}
${await commonJs(texts.get(entry) ?? '', { require: '__require' })}
if(require.main===module)module.exports.main();
`;
}

/** In parentheses, because V8 then compiles it with the file and does not read it a second time. */
const compiledNow = code => `(function(require,module,exports){\n${code}\n})`;

const compressed = code => JSON.stringify(brotliCompressSync(code).toString('base64'));

const baseName = path => path.slice(path.lastIndexOf('/') + 1);

/** All chunks that are loaded with the entry. */
function staticImports(metafile, entry, seen = new Set([entry])) {
  for (const { path, kind, external } of metafile.outputs[entry].imports) {
    if (external || kind !== 'import-statement' || seen.has(path)) continue;
    seen.add(path);
    staticImports(metafile, path, seen);
  }
  return seen;
}

/**
 * An ES module chunk as CommonJS. An import of another chunk goes to the loader, any other stays Node's. Code keeps its
 * lines: Node shows the one that threw.
 */
async function commonJs(source, { require = 'require', minifyWhitespace = false } = {}) {
  const { code } = await transform(source, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    minifyWhitespace,
  });
  return code
    .replace(/\bimport\("\.\/([\w-]+\.js)"\)/g, (_, name) => `Promise.resolve().then(()=>${require}("./${name}"))`)
    .replace(/\brequire\("\.\/([\w-]+\.js)"\)/g, (_, name) => `${require}("./${name}")`)
    .trim();
}

const loader = `const __loaded={};
function __require(name){
const own=name.startsWith("./")?__chunks[name.slice(2)]:undefined;
if(own===undefined)return require(name);
if(__loaded[name]!==undefined)return __loaded[name].exports;
const made=__loaded[name]={exports:{}};
const run=typeof own==="function"?own:require("node:vm").compileFunction(String(require("node:zlib").brotliDecompressSync(Buffer.from(own,"base64"))),["require","module","exports","__dirname","__fileUrl"],{filename:__dirname+"/grantbox/"+name.slice(2)});
run(__require,made,made.exports,__dirname,require("node:url").pathToFileURL(__filename).href);
return made.exports;
}`;
