/** Mistakes that people make with a parameter. */
const mistakes: Readonly<Record<string, (right: string) => string>> = {
  redirect_uri: () => 'https://elsewhere.example/callback',
  scope: right => `${right} everything`.trim(),
  grant_type: () => 'password_grant',
  response_type: () => 'codes',
  code_challenge_method: () => 'plain',
  subject_token_type: () => 'urn:ietf:params:oauth:token-type:saml2',
  client_id: right => `${right}-2`,
  iss: right => `${right}-2`,
  aud: () => 'https://other.example',
  exp: right => String(Number(right) - 7200),
  certificate: () => 'CN=somebody-else',
  login_hint: () => 'nobody',
  binding_message: right => `${right}\n`,
};

/** A plausible wrong value: a usual mistake, or one changed character in the middle. */
export function wrongValue(name: string, right: string): string {
  const mistake = mistakes[name];
  if (mistake !== undefined) return mistake(right);
  const [, unsigned = ''] = /^([\w ]*[\w-]+\.[\w-]+\.)[\w-]+$/.exec(right) ?? []; // of a JWT, only the signature becomes wrong
  const middle = Math.floor((unsigned.length + right.length) / 2);
  const other = right[middle] === 'A' ? 'B' : 'A';
  return right === '' ? 'wrong' : right.slice(0, middle) + other + right.slice(middle + 1);
}
