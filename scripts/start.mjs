// `npm start`: builds, unless what is built is current, and runs it in this very process.
import { createRequire } from 'node:module';
import { buildOnce } from './build-once.mjs';

// npm runs this in a shell, and some shells stay between the two: a signal to npm ends such a shell alone
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, 100).unref();

await buildOnce('bundle');
createRequire(import.meta.url)('../dist/grantbox.cjs').main(process.uptime());
