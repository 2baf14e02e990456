// A child of load.mjs where there is no wrk: the same request again and again over kept-alive connections.
import { Agent, request as send } from 'node:http';

const { url, request, seconds, connections } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const began = performance.now();
const until = began + seconds * 1000;
let requests = 0;
let failed = 0;

function ask() {
  return new Promise(resolve => {
    const outgoing = send(url, { agent, method: request.method, headers: request.headers }, response => {
      if (response.statusCode !== 200) failed++;
      response.resume().once('end', resolve);
    });
    outgoing.once('error', () => {
      failed++;
      resolve();
    });
    outgoing.end(request.body);
  });
}

async function connection() {
  while (performance.now() < until) {
    await ask();
    requests++;
  }
}

await Promise.all(Array.from({ length: connections }, connection));
const result = { requests, failed, seconds: (performance.now() - began) / 1000 };
process.stdout.write(JSON.stringify(result), () => process.exit());
