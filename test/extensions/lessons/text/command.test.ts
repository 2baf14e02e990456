import { describe, expect, it } from 'vitest';
import { asBash, asPowerShell, callOf, curlsIn } from '../../../../src/extensions/lessons/text/command.ts';

const only = (line: string) => curlsIn(line)?.[0] ?? [];

describe('a curl command of a lesson', () => {
  it.each([
    ['curl -u a:b http://h/t -d scope=x', 'curl -u a:b http://h/t -d scope=x', 'curl.exe -u a:b http://h/t -d scope=x'],
    ["curl http://h -d 'scope=a b'", "curl http://h -d 'scope=a b'", "curl.exe http://h -d 'scope=a b'"],
    ['curl http://h -H "X: it\'s"', "curl http://h -H 'X: it'\\''s'", "curl.exe http://h -H 'X: it''s'"],
    ["curl -i http://h -d ''", "curl -i http://h -d ''", "'' | curl.exe -i http://h -d '@-'"],
    ['curl http://h -d \'{"a":1}\'', 'curl http://h -d \'{"a":1}\'', "'{\"a\":1}' | curl.exe http://h -d '@-'"],
    ["curl http://h -H 'X: ’'", "curl http://h -H 'X: ’'", "curl.exe http://h -H 'X: ’’'"],
    ['curl http://h -d a=b+c,d', 'curl http://h -d a=b+c,d', "curl.exe http://h -d 'a=b+c,d'"],
  ])('%s is right in bash and in PowerShell', (line, bash, powershell) => {
    expect(asBash(only(line))).toBe(bash);
    expect(asPowerShell(only(line))).toBe(powershell);
  });

  it('has no form for PowerShell where a header would lose its quotation marks', () => {
    expect(asPowerShell(only(`curl http://h -H 'X: "a"'`))).toBeUndefined();
  });

  it.each(['TOKEN=$(curl x)', 'curl "$TOKEN"', 'curl x | sed y', 'curl x?a=b&c=d', 'echo x', 'node -e "1"', "curl 'x"])(
    'is none where a shell does more: %s',
    line => expect(curlsIn(line)).toBeUndefined(),
  );

  it('is the request that curl sends', () => {
    expect(callOf(only(`curl -si -u a:b http://h/t -d x=1 -d y=2`))).toEqual({
      method: 'POST',
      url: 'http://h/t',
      headers: [
        ['Authorization', 'Basic YTpi'],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ],
      body: 'x=1&y=2',
    });
    expect(callOf(only(`curl http://h -H 'Accept: a:b'`))).toEqual({
      method: 'GET',
      url: 'http://h',
      headers: [['Accept', 'a:b']],
    });
    expect(callOf(only('curl -k http://h'))).toBeUndefined();
    expect(callOf(only('curl http://h -d @file'))).toBeUndefined();
  });

  it('may be continued in the next line', () => {
    expect(curlsIn('curl \\\n  http://h\n\ncurl http://i')).toEqual([
      ['curl', 'http://h'],
      ['curl', 'http://i'],
    ]);
  });
});
