import { describe, expect, it } from 'vitest';
import { readYaml } from '../../../src/sandbox/config/read-yaml.ts';
import { newFolder } from '../../support/new-folder.ts';
import { problemsOf } from './support.ts';

const contentOf = (text: string) => {
  const read = readYaml(text);
  if ('problem' in read) throw new Error(read.problem);
  return read.content;
};
const problemOf = (text: string) => {
  const read = readYaml(text);
  return 'problem' in read ? read.problem : undefined;
};

describe('YAML', () => {
  it('is read by the core schema of YAML 1.2, whatever the file says of its version', () => {
    const plain = 'a: yes\nb: 2020-01-01\nc: 0o14\nd: true\ne: ~\n8080: port\n';
    const content = { a: 'yes', b: '2020-01-01', c: 12, d: true, e: null, 8080: 'port' };
    expect(contentOf(plain)).toEqual(content);
    expect(contentOf(`%YAML 1.1\n---\n${plain}`)).toEqual(content);
  });

  it('may repeat and merge by aliases', () => {
    const merged = 'one: &one\n  a: 1\n  b: 1\ntwo:\n  <<: *one\n  b: 2\nthree: *one\n';
    expect(contentOf(merged)).toEqual({ one: { a: 1, b: 1 }, two: { a: 1, b: 2 }, three: { a: 1, b: 1 } });
  });

  it('gives no object another prototype', () => {
    expect(Object.getPrototypeOf(contentOf('__proto__: { port: 1 }'))).toBe(Object.prototype);
  });

  it.each([
    ['a name twice', 'port: 1\nlabel: x\nport: 2\n', 'Map keys must be unique (line 3, column 1)'],
    ['a tag of its own', 'label: !secret x\n', 'Unresolved tag: !secret (line 1, column 8)'],
    ['a tag of another schema', 'a:\n  b: !!binary aGk=\n', /binary \(line 2, column 6\)$/],
    ['a name that is no text', '? [a]\n: 1\n', /keys must be strings \(line 1, column 3\)$/],
    ['a list without its end', 'a: 1\nb: [1, 2\n', /end with a \] \(line 3, column 1\)$/],
    ['a second document', 'a: 1\n---\nb: 2\n', 'the file has more than one document (line 2, column 1)'],
    ['an alias of nothing', 'a:\n  - *b\n', 'alias *b: no earlier anchor has this name (line 2, column 5)'],
    ['an alias in itself', 'a: &a\n  b: [*a]\n', 'alias *a: the alias is inside its own anchor (line 2, column 7)'],
    ['a merge of a number', 'a:\n  <<: 5\n', 'Merge sources must be maps or map aliases'],
  ])('is refused with %s', (_what, text, expected) => {
    expect(problemOf(text)).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });

  it('is refused where a few lines stand for a great many', () => {
    const lines = Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`)}]`);
    expect(problemOf(['a0: &a0 [x]', ...lines].join('\n'))).toMatch('Excessive alias count');
  });

  it('that is broken is refused without its values: one of them could be a secret', () => {
    for (const text of [
      'client_secret: [\n"s3cr3t" "s3cr3t"\n',
      'client_secret: |s3cr3t\n',
      'client_secret: x\ns3cr3t\n',
    ])
      expect(problemOf(text)).not.toMatch('s3cr3t');
    expect(problemOf('client_secret: } s3cr3t')).toBe(
      'Unexpected flow-map-end token in YAML stream (line 1, column 16)',
    );
  });
});

describe('a problem of a YAML file', () => {
  const text = `# of the shop
clients:
  - &shop
    client_id: shop
    redirect_uris:
      - https://shop.example/callback
      - nowhere
  - <<: *shop
    client_id: other
    scpe: openid
  - client_name: Third
issuers:
  tenant-a: { port: 3 }
  b:
    clients:
      - client_id: c
        scope: 5
prot: 9
`;

  it('has line and column of the member, or of the object that lacks it', async () => {
    const problems = await problemsOf({ cwd: newFolder({ 'clients.config.yaml': text }) });
    expect(problems.map(({ source }) => source).toSorted()).toEqual([
      'clients.config.yaml:10:5: clients[1].scpe',
      'clients.config.yaml:11:5: clients[2].client_id',
      'clients.config.yaml:11:5: clients[2].redirect_uris',
      'clients.config.yaml:13:15: issuers["tenant-a"]: port',
      'clients.config.yaml:16:9: issuers["b"]: clients[0].redirect_uris',
      'clients.config.yaml:17:9: issuers["b"]: clients[0].scope',
      'clients.config.yaml:18:1: prot',
      'clients.config.yaml:7:9: clients[0].redirect_uris[1]',
      'clients.config.yaml:8:5: clients[1].redirect_uris[1]',
    ]);
  });
});
