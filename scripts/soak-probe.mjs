// Loaded into the sandbox by scripts/soak.ts: says on standard error, once a second, how late its event loop was.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolution = 10;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();
setInterval(() => {
  // what is measured contains the pause between two looks
  const milliseconds = nanoseconds => Math.max(0, Math.round(nanoseconds / 1e5 - resolution * 10) / 10);
  const [median, p99, longest] = [delay.percentile(50), delay.percentile(99), delay.max].map(milliseconds);
  process.stderr.write(`soak-probe ${JSON.stringify({ median, p99, longest })}\n`);
}, 1000).unref();
