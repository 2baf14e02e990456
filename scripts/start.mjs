// `npm start`: builds, and runs what was built in this very process.
import { createRequire } from 'node:module';
import { stop } from 'esbuild';
import { buildAll } from '../build.mjs';

// npm runs this in a shell, and some shells stay between the two: a signal to npm ends such a shell alone
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, 100).unref();

await buildAll();
await stop(); // the process of esbuild
createRequire(import.meta.url)('../dist/grantbox.cjs').main(process.uptime());
