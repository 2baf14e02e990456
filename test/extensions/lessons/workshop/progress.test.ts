import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { createAgent } from '../../../support/agent.ts';
import { begin, enterRoom, join, shown, work } from './learner.ts';

const key = 'the key of the trainer';
const lesson = 'client-credentials';
const sandboxes: Sandbox[] = [];
afterEach(() => Promise.all(sandboxes.splice(0).map(each => each.stop())));

async function openRoom(seats: number): Promise<Sandbox> {
  const sandbox = await createSandbox({ port: 0, logLevel: 'silent', workshop: seats, controlToken: key });
  sandboxes.push(sandbox);
  return sandbox;
}

const headers = { Authorization: `Bearer ${key}` };
const exported = async ({ url }: Sandbox) => (await fetch(`${url}/room/export`, { headers })).text();

describe('the progress of a room', () => {
  it('survives a restart by one file: a learner goes on with the same key, and nothing done is lost', async () => {
    const before = await openRoom(3);
    const learner = await join(before);
    await work(await begin(learner, lesson), lesson, 'token');
    await learner.agent.submit(await learner.agent.open(`${learner.issuer}/lessons/${lesson}`), 'lesson-hint-scope');
    const file = await exported(before);

    const after = await openRoom(3);
    const trainer = await enterRoom(after, key);
    const upload = new FormData();
    upload.set('file', new Blob([file], { type: 'application/json' }), 'grantbox-room.json');
    const imported = await fetch(`${after.url}/room/import`, { method: 'POST', headers, body: upload });
    expect([imported.status, shown(await imported.text(), 'controls-problem')]).toEqual([200, '']);
    expect((await trainer.open(`${after.url}/room/lessons/${lesson}`)).html).toContain(learner.name);

    const agent = createAgent(after.url);
    const seat = await agent.submit(await agent.open(`${after.url}/join`), 'join-return', { key: learner.key });
    expect(shown(seat.html, 'join-seat')).toBe(learner.name);
    const again = { ...learner, agent, issuer: `${after.url}/i/${learner.name}` };
    expect((await agent.open(`${again.issuer}/lessons/${lesson}`)).html).toContain('1 of 5 done');
    await work(`${after.url}/i/${lesson}-${learner.name}`, lesson, 'secret'); // it runs again already
    const { html } = await agent.open(`${again.issuer}/lessons/${lesson}`);
    expect(html).toContain('2 of 5 done');
    expect(html).toContain('Take the first line of this lesson');
  });

  it('is kept when a fourth lesson ends the issuer of the first', async () => {
    const sandbox = await openRoom(1);
    const learner = await join(sandbox);
    const first = await begin(learner, lesson);
    await work(first, lesson, 'token');
    for (const other of ['discovery', 'code-pkce', 'token']) await begin(learner, other);
    expect((await fetch(`${first}/oauth2/token`, { method: 'POST' })).status).toBe(410);
    expect((await learner.agent.open(`${learner.issuer}/lessons/${lesson}`)).html).toContain('1 of 5 done');
    expect(await begin(learner, lesson)).toBe(first);
    expect((await learner.agent.open(`${learner.issuer}/lessons/${lesson}`)).html).toContain('1 of 5 done');
  });

  it('is not taken from a file that is no export, or has more seats than the room', async () => {
    const [small, large] = [await openRoom(1), await openRoom(2)];
    await join(large);
    await join(large);
    const post = async (body: string) => {
      const json = { ...headers, 'Content-Type': 'application/json' };
      const response = await fetch(`${small.url}/room/import`, { method: 'POST', headers: json, body });
      return [response.status, shown(await response.text(), 'controls-problem')];
    };
    expect(await post('{')).toEqual([400, expect.stringContaining('the file is not JSON')]);
    expect(await post('{"grantbox":"workshop"}')).toEqual([400, expect.stringContaining('exportedAt')]);
    expect(await post(await exported(large))).toEqual([400, expect.stringContaining('This room has 1')]);
  });
});

it('the record of a seat is a page, JSON and CSV, for its learner and the trainer, and no other learner', async () => {
  const sandbox = await openRoom(2);
  const [first, second] = [await join(sandbox), await join(sandbox)];
  await work(await begin(first, lesson), lesson, 'token');
  const page = await first.agent.open(`${sandbox.url}/join/record`);
  expect(shown(page.html, 'record-seat')).toBe(first.name);
  const ofSeat = `${sandbox.url}/room/seats/${first.name}/record`;
  const record = (await (await fetch(`${ofSeat}.json`, { headers })).json()) as { lessons: readonly object[] };
  expect(record).toMatchObject({ seat: first.name });
  expect(record.lessons).toContainEqual(expect.objectContaining({ lesson, done: 1, total: 5 }));
  const csv = await (await fetch(`${ofSeat}.csv`, { headers })).text();
  expect(csv.split('\r\n')).toContainEqual(
    expect.stringMatching(new RegExp(`^${first.name},${lesson},token,[^,]+,done,20\\d\\d-[^,]+,1,0$`)),
  );
  const all = await (await fetch(`${sandbox.url}/room/records.csv`, { headers })).text();
  for (const { name } of [first, second]) expect(all).toContain(`\r\n${name},`);
  const other = await fetch(`${ofSeat}.json`, { headers: { Authorization: `Bearer ${second.key}` } });
  expect(other.status).toBe(401);
});
