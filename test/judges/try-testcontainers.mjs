// Starts the image that is named as the argument by `grantbox/testcontainers`, on the engine that DOCKER_HOST names, and holds it
// to what it promises. What the flows test shows with a stand-in, the engine, the image and its shell show here.
import assert from 'node:assert/strict';
import { GrantboxContainer } from 'grantbox/testcontainers';
import { Network } from 'testcontainers';

const [image] = process.argv.slice(2);
const make = () => new GrantboxContainer(image);
let isBad = false;

async function check(what, work) {
  const began = Date.now();
  try {
    await work();
    console.log(`ok      Testcontainers: ${what}, ${Date.now() - began} ms`);
  } catch (error) {
    isBad = true;
    console.log(`NOT OK  Testcontainers: ${what}\n${error.stack}`);
  }
}

async function using(starting, work) {
  const started = await starting;
  try {
    await work(started);
  } finally {
    await started.stop();
  }
}

async function issuerAt(url) {
  return (await (await fetch(`${url}/.well-known/openid-configuration`)).json()).issuer;
}

await check('configuration, control token, and the mapped port in the issuer, also after a restart', () => {
  const made = make()
    .withConfig({ users: [{ sub: 'dora' }] })
    .withControlToken('a token');
  return using(made.start(), async container => {
    assert.equal(await issuerAt(container.url), container.issuer);
    assert.equal(new URL(container.issuer).port, String(container.getMappedPort(9000)));
    const sandbox = await container.connect();
    assert.ok((await sandbox.login({ client: 'frontend', user: 'dora', as: 'tokens' })).access_token);
    await container.restart();
    assert.equal(await issuerAt(container.url), container.issuer);
  });
});

// by its address, with the name in the request: Podman knows no names without a plugin that is not everywhere
const readAsBackEnd = `require('node:http').get(process.argv[1], { headers: { Host: 'idp:9000' } }, async response => {
  for await (const part of response) process.stdout.write(part);
});`;

await check('another container of its network finds its token endpoint at its alias', () =>
  using(new Network().start(), network =>
    using(make().withNetwork(network).withNetworkAliases('idp').start(), container =>
      using(make().withNetwork(network).start(), async neighbour => {
        const url = `http://${container.getIpAddress(network.getName())}:9000/.well-known/openid-configuration`;
        const { output, exitCode } = await neighbour.exec(['node', '--eval', readAsBackEnd, url]);
        assert.equal(exitCode, 0, output);
        const { issuer, token_endpoint } = JSON.parse(output);
        assert.deepEqual([issuer, token_endpoint], [container.issuer, 'http://idp:9000/oauth2/token']);
      }),
    ),
  ),
);

await check('an invalid configuration is told', () =>
  assert.rejects(
    make().withConfig({ loginMode: 'magic' }).start(),
    /loginMode: found "magic", expected picker or password/,
  ),
);

process.exitCode = isBad ? 1 : 0;
