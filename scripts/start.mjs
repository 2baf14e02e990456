// `npm start`: builds, unless what is built is current, and runs it in this very process.
import { createRequire } from 'node:module';
import { buildOnce } from './build-once.mjs';

const parent = process.ppid;
await buildOnce('bundle');
// npm ended during the build, so the program could no longer tell that it belongs to npm
if (process.ppid !== parent && process.env.npm_lifecycle_event === 'start') process.exit(1);
createRequire(import.meta.url)('../dist/grantbox.cjs').main(process.uptime());
