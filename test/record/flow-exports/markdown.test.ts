import { afterAll, beforeAll, expect, it } from 'vitest';
import { atOnce, wholeText } from '../../../src/base/turns.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { exportFlows } from '../../../src/record/flows/exports/export.ts';
import { asMarkdown } from '../../../src/record/flows/exports/markdown.ts';
import { createFlowIndex } from '../../../src/record/flows/flow-index.ts';
import { settled } from '../../support/flows.ts';
import { authorizeQuery, get } from '../../support/wire.ts';

const hostile = '[click](https://evil.example) <img src=x> *_`~&lt; | !';

let sandbox: Sandbox;
beforeAll(async () => {
  const clients = [{ client_id: hostile, redirect_uris: ['http://localhost:5173/callback'] }];
  sandbox = await createSandbox({ signingAlg: 'ES256', clients });
});
afterAll(() => sandbox.stop());

/** The flow that this request begins, as Markdown, without what stands in a fence. */
async function outsideOfFences(parameters: Record<string, string>): Promise<string> {
  const { url, events, issuer } = sandbox;
  await (await get(`${url}/oauth2/authorize?${authorizeQuery(parameters)}`)).arrayBuffer();
  await settled(sandbox);
  const [flow] = createFlowIndex(events, sandbox.clock).latest(1);
  if (flow === undefined) throw new Error('no flow');
  const exported = atOnce(exportFlows([flow], { events, issuer, now: sandbox.clock(), secrets: 'redact' }));
  return wholeText(asMarkdown(exported, events)).replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '');
}

const bare = /(?<!\\)[`*_[\]<>|!&~]/;

it('nothing that a stranger has named is a command in the Markdown of a flow', async () => {
  const text = await outsideOfFences({ client_id: hostile, redirect_uri: 'http://localhost:5173/<b>*x*`y`' });
  expect(text).toContain('\\[click\\](https://evil.example)');
  expect(text).toContain('redirect\\_uri is not registered');
  expect(text).not.toMatch(bare);
});

it('nor is a client_id that nobody has', async () => {
  const text = await outsideOfFences({ client_id: '![x](https://evil.example/pixel)' });
  expect(text).toContain('\\!\\[x\\](https://evil.example/pixel)');
  expect(text).not.toMatch(bare);
});
