// Leaves only the declarations that the package's faces lead to, and joins them in one file: tsc writes a file for every source it
// reads. Functions and constants that no face exports are out of reach for users of the package: they go first, with the types
// that only they mention.
//
//   node scripts/reachable-types.mjs [folder]    of the package in this folder; by default here
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const [, , root = '.'] = process.argv;
const folder = join(root, 'dist/types');
const { exports, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const faces = Object.values(exports).flatMap(({ types = [] }) => (types.length === 0 ? [] : join(root, types)));
// words of comments and texts, and members, are no exports
const exported = new Set(
  faces.flatMap(face =>
    readFileSync(face, 'utf8')
      .replace(/\/\*[\s\S]*?\*\/|'[^']*'|\breadonly \w+\b/g, '')
      .match(/\w+/g),
  ),
);
const reached = new Set();

const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.d.ts'));
// a type may be that of a value in another file
const typed = new Set(all.flatMap(file => [...textOf(file).matchAll(/typeof (\w+)/g)].map(([, name]) => name)));
nameAdditions();
for (const face of faces) reach(face);
joinReached();
// the declarations describe the CommonJS file, whatever the package's own sources are
writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
writeFileSync(join(folder, 'src/client/fixtures/package.json'), '{ "type": "module" }\n');
console.log(`${reached.size} of ${all.length} declarations are reached from the exports of package.json`);

function textOf(file) {
  return readFileSync(join(folder, file), 'utf8');
}

/** Extensions and providers add to types of the core (`declare module`). tsc leaves the imports of those modules out. */
function nameAdditions() {
  const adding = all.filter(file => /^declare module '\./m.test(textOf(file)));
  for (const face of faces) {
    const lines = adding.map(
      file => `import './${relative(dirname(face), join(folder, file)).replace('.d.ts', '.ts')}';\n`,
    );
    writeFileSync(face, lines.join('') + readFileSync(face, 'utf8'));
  }
}

/**
 * Each file but the faces becomes a module with a name, in one file that the faces refer to. What imports a package that the user
 * may lack stays a file of its own: it would make all of them invalid.
 */
function joinReached() {
  const peers = new RegExp(`from ['"](?:${Object.keys(peerDependencies).join('|')})['"]`);
  const own = [...reached].filter(file => faces.includes(file) || peers.test(readFileSync(file, 'utf8')));
  const nameOf = file => `grantbox:${relative(folder, file).replace(/^src\/|\.d\.ts$/g, '')}`;
  const named = (text, file) =>
    text.replace(/(['"])(\.[^'"]+)\.ts\1/g, (specifier, _, path) => {
      const target = join(dirname(file), `${path}.d.ts`);
      return own.includes(target) ? specifier : `'${nameOf(target)}'`;
    });
  const texts = new Map([...reached].sort().map(file => [file, named(readFileSync(file, 'utf8'), file)]));
  rmSync(folder, { recursive: true });
  for (const file of own) {
    const path = relative(dirname(file), join(folder, 'modules.d.ts'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `/// <reference path="${path}" />\n${texts.get(file)}`);
  }
  const modules = [...texts].filter(([file]) => !own.includes(file));
  writeFileSync(join(folder, 'modules.d.ts'), modules.map(([file, text]) => asModule(nameOf(file), text)).join(''));
}

/** Additions to other modules cannot be inside a module with a name: they come after it, and import from it and as it does. */
function asModule(name, text) {
  const additions = [...text.matchAll(/^declare module [\s\S]*?^}\n/gm)].map(String);
  const imports = [...text.matchAll(/^import [\s\S]*?;\n/gm)].map(String);
  const names = [...text.matchAll(/^(?:export )?(?:declare )?(?:const|interface|type) (\w+)/gm)].map(
    ([, each]) => each,
  );
  const own = additions.reduce((left, addition) => left.replace(addition, ''), text);
  const added = additions.map(addition => {
    const [, to] = addition.split("'");
    const others = imports.filter(each => !each.includes(`'${to}'`));
    return addition.replace('{\n', `{\nimport { ${names.join(', ')} } from '${name}';\n${others.join('')}`);
  });
  return `declare module '${name}' {\n${own.replace(/^export \{\};\n|^(export )?declare /gm, (_, exports = '') => exports)}}\n${added.join('')}`;
}

function reach(file) {
  if (reached.has(file)) return;
  reached.add(file);
  const text = withoutUnusedImports(withoutValues(readFileSync(file, 'utf8')));
  writeFileSync(file, text);
  for (const [, name] of text.matchAll(/(?:from |import |import\()['"]([^'".][^'"]*)['"]/g)) {
    const isInstalled = name.startsWith('node:') || Object.hasOwn(peerDependencies, name);
    if (!isInstalled) throw new Error(`${file} names ${name}, which is not installed with the package`);
  }
  for (const [, specifier] of text.matchAll(/(?:from |import |import\()['"](\.[^'"]+)['"]/g)) {
    const declaration = join(dirname(file), specifier.replace(/\.(ts|js)$/, '.d.ts'));
    if (existsSync(declaration)) reach(declaration);
  }
}

function withoutValues(text) {
  const declaration = /(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export declare (?:function|const) (\w+)/g;
  let left = '';
  let from = 0;
  for (const found of text.matchAll(declaration)) {
    const isNeeded = exported.has(found[1]) || typed.has(found[1]);
    if (isNeeded || found.index < from) continue;
    left += text.slice(from, found.index);
    from = endOf(text, found.index + found[0].length);
  }
  return left + text.slice(from);
}

/** Behind the semicolon of a declaration, and its line feed. */
function endOf(text, start) {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if ('([{'.includes(text[at])) depth++;
    if (')]}'.includes(text[at])) depth--;
    if (depth === 0 && text[at] === ';') return at + 2;
  }
  throw new Error(`a declaration without an end: ${text.slice(start - 40, start)}`);
}

function withoutUnusedImports(text) {
  return text.replace(/^import (type )?\{([^}]*)\} from ([^;]*);\n/gm, (line, type = '', names, from) => {
    const rest = text.replace(line, '');
    const used = names
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== '' && new RegExp(`\\b${name.split(/ as | /).at(-1)}\\b`).test(rest));
    return used.length === 0 ? '' : `import ${type}{ ${used.join(', ')} } from ${from};\n`;
  });
}
