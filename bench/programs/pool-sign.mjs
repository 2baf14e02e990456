// The most tokens a second this machine could sign: RS256 on the thread pool, 16 in flight, and nothing else.
import { generateKeyPairSync, sign } from 'node:crypto';

const milliseconds = Number(process.argv[2]);
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
// about what is signed of an access token
const data = Buffer.alloc(440, 'x');

function signUntil(time) {
  return new Promise((resolve, reject) => {
    let count = 0;
    let inFlight = 16;
    const next = error => {
      if (error) return reject(error);
      count++;
      if (performance.now() < time) sign('sha256', data, privateKey, next);
      else if (--inFlight === 0) resolve(count);
    };
    for (let index = 0; index < 16; index++) sign('sha256', data, privateKey, next);
  });
}

await signUntil(performance.now() + 200);
const began = performance.now();
const before = process.cpuUsage();
const count = await signUntil(began + milliseconds);
const { user, system } = process.cpuUsage(before);
const perSecond = count / ((performance.now() - began) / 1000);
process.stdout.write(JSON.stringify({ perSecond, cpuMicroseconds: (user + system) / count }));
