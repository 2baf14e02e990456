const forms: readonly (readonly [form: RegExp, why: string])[] = [
  [
    /^[0-9a-f]{64}$/i,
    'These are 64 hexadecimal digits: the hash itself is right, but it has to be written as base64url and not as hex.',
  ],
  [/^[A-Za-z0-9_-]{43}=$/, 'It ends in a padding =, which base64url has not here: leave it out.'],
  [/^[A-Za-z0-9+/ ]{43}=?$/, 'It is standard base64: + and / have to be - and _, and the = at the end goes.'],
  [/^[A-Za-z0-9_-]{86}$/, 'It is the base64url of the hash in hex: encode the 32 bytes, not their 64 digits.'],
  [/^[A-Za-z0-9._~-]{44,128}$/, 'It looks like the verifier itself: with S256 the challenge is its hash.'],
];

/** What a code_challenge that is none was made of, by its looks. */
export function challengeForms(challenge: string): string {
  const [, why] = forms.find(([form]) => form.test(challenge)) ?? [];
  return (
    why ??
    `It has ${challenge.length} characters. The SHA-256 of a verifier has 32 bytes, which are 43 characters of base64url.`
  );
}
