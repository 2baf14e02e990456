// The engine that replicas share: redis-server or valkey-server, with nothing on disk.
import { engines, findProgram } from '../scripts/test-replicas.mjs';
import { freePort } from './free-port.mjs';
import { start, temporaryFolder } from './processes.mjs';
import { cpuSecondsOf } from './server.mjs';

/** @throws Error with a sentence that says what to install */
export async function startEngine() {
  const program = engines.map(name => findProgram(name)).find(path => path !== undefined);
  if (program === undefined) throw new Error(`install ${engines.join(' or ')} to measure replicas`);
  const port = await freePort();
  const args = ['--port', port, '--bind', '127.0.0.1', '--dir', temporaryFolder(), '--save', ''].map(String);
  let child;
  async function begin() {
    child = start(program, args, { output: 'pipe' });
    await ready(child);
  }
  await begin();
  return {
    url: `redis://127.0.0.1:${port}`,
    program,
    start: begin,
    cpuSeconds: () => cpuSecondsOf(child.pid),
    async kill() {
      child.kill('SIGKILL');
      await child.ended;
    },
  };
}

function ready(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', text => {
      said += text;
      if (said.includes('Ready to accept connections')) resolve();
    });
    child.ended.then(code => reject(new Error(`the engine ended with ${code}: ${said.slice(-300)}`)));
  });
}
