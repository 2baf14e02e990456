import { recordIn } from '../../../base/text/record.ts';
import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { grants } from '../../../protocol/grants/index.ts';
import { type Case, named, sentHeader, shown } from '../case.ts';
import {
  compareListed,
  compareNearest,
  compareSentAndExpected,
  compareWords,
  nearestNames,
  registeredFor,
} from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import type { ProposedFix } from '../problem.ts';
import { advice, patchClient, setting } from '../remedies.ts';
import { curlForm, endpointUrl, inApp } from '../source-text.ts';
import { needsSecret, serviceClient } from './service-client.ts';

/** Requests with a malformed body, a wrong parameter or a wrong grant (RFC 6749 §3.2). */
export const tokenRequestEntries = {
  grant_type_unsupported: {
    title: ({ error }) => {
      const grant = `\`${shown(error.sent ?? '', 60)}\``;
      return isSwitchedOff(error.sent) ? `The grant ${grant} is switched off` : `Unknown grant type ${grant}`;
    },
    why: ({ error }) => {
      if (error.sent === 'password')
        return 'With this grant the app itself gets the password of the user. OAuth 2.1 removed it, so this server knows it, but has it switched off.';
      return !isSwitchedOff(error.sent)
        ? 'This server does not know the grant type. Grant types are compared character by character, and the long ones are URNs.'
        : 'This server knows the grant, but the grant is switched off.';
    },
    fix: 'Use one of the grant types in the discovery document, and check the spelling. Long ones are URNs. FEATURES switches a known grant on.',
    rfc: 'RFC 6749 §5.2',
    compare: refused =>
      isSwitchedOff(refused.error.sent)
        ? compareWords(refused.error.sent ?? '', refused.error.expected ?? '', { expectedLabel: 'Switched on' })
        : compareNearest(refused.error.sent ?? '', (refused.error.expected ?? '').split(', '), 'Supported'),
    fixes: ({ error }) => {
      if (error.sent === 'password' && isSwitchedOff(error.sent))
        return [
          advice('Switch the app to the authorization code flow with PKCE.', inApp('response_type=code')),
          setting('Or switch it on to test an old app', 'FEATURES', 'password=on'),
        ];
      const feature = grants.get(error.sent ?? '')?.feature;
      if (feature !== undefined) return [setting('Switch it on', 'FEATURES', `${feature}=on`)];
      const [near] = nearestNames(error.sent ?? '', (error.expected ?? '').split(', '));
      return near === undefined ? [] : [advice('Send the closest match.', inApp(`grant_type=${near}`))];
    },
  },
  grant_type_not_registered: {
    title: refused => `${named(refused.who)} is not registered for the grant \`${shown(neededGrant(refused), 80)}\``,
    why: ({ error }) =>
      error.endpoint === 'token'
        ? 'A client may use only its registered grants.'
        : 'This response_type needs a grant that the client is not registered for.',
    fix: "Add the grant to the client's grant_types in clients.config.ts, or use a client that has it.",
    rfc: 'RFC 6749 §5.2',
    compare: compareListed(', ', registeredFor),
    fixes: refused => {
      const grant = neededGrant(refused);
      const { client, who } = refused;
      if (client === undefined || client.grant_types.includes(grant)) return [];
      if (needsSecret(refused, grant)) return serviceClient(refused, grant);
      return [patchClient(refused, `Enable ${shown(grant, 80)} for ${who}`, membersWith(refused, client, grant))];
    },
  },
  content_type_unsupported: {
    title: ({ error }) =>
      isJson(error.sent) ? 'The body is JSON instead of a form' : 'The body has the wrong content type',
    why: ({ error }) =>
      isJson(error.sent) && error.expected?.includes('form') === true
        ? 'OAuth endpoints read application/x-www-form-urlencoded: name=value pairs joined by &. Libraries such as axios send JSON by default.'
        : `${error.description}.`,
    fix: 'Send Content-Type: application/x-www-form-urlencoded, or application/json to register a client.',
    rfc: 'RFC 6749 §3.2',
    fixes: asForm,
    references: ['RFC 6749 §4.1.3'],
  },
  body_malformed: {
    title: 'The body is malformed',
    why: '{description}. The server does not guess the meaning.',
    fix: 'Encode the body as a form: name=value pairs joined by &, each percent-encoded as UTF-8. Only registration accepts JSON.',
    rfc: 'RFC 6749 §3.2',
  },
  body_too_large: {
    title: 'The request is too large',
    why: 'The limit is far above every valid request. It keeps a mistake from filling the memory.',
    fix: 'Send only the parameters of the request. The limit is 64 KiB, and 1 MiB and 5000 values for the control API.',
    rfc: 'RFC 9110 §15.5.14',
  },
  parameter_missing: {
    title: ({ error }) => {
      if (error.expected === undefined) return 'A parameter is missing';
      const place = isInQuery(error) ? 'in the query of a POST' : 'missing';
      return `The parameter \`${error.expected}\` is ${place}`;
    },
    why: ({ error, parameters }) => {
      if (isInQuery(error))
        return 'A POST sends its parameters in the body. The server does not read the query, because logs and histories store addresses.';
      return parameters.get(error.expected ?? '') === ''
        ? `The parameter \`${error.expected}\` is empty, which counts as missing. Look for a variable that is not set.`
        : 'The parameter is required. The server reads it from the query of a GET or from the form of a POST.';
    },
    fix: 'Add the parameter. An empty value counts as missing.',
    rfc: 'RFC 6749 §3.1',
    compare: ({ error, parameters }) =>
      compareWords(
        [...parameters.keys()].slice(0, 30).join(', ') || 'no parameters',
        `${error.expected ?? ''} among them`,
      ),
    fixes: refused => {
      const { parameters, error, request } = refused;
      if (isInQuery(error)) {
        const query = new URLSearchParams(request?.exchange.url.split('?').slice(1).join('?'));
        return [advice('Send the parameters in the body.', curlForm(endpointUrl(refused, error.endpoint), query))];
      }
      const [near] = nearestNames(error.expected ?? '', parameters.keys());
      return near === undefined
        ? []
        : [
            advice(
              `Rename \`${shown(near, 60)}\` to \`${error.expected}\` if you meant this parameter.`,
              inApp(`${error.expected}=…`),
            ),
          ];
    },
  },
  parameter_repeated: {
    title: 'The parameter `{sent}` was sent more than once',
    why: 'Two values are ambiguous: a proxy may check one, and the server may use the other.',
    fix: 'Send each parameter once. Look for a library that appends a parameter to an address that already has it.',
    rfc: 'RFC 6749 §3.1',
    compare: ({ error }) => compareWords(`${error.sent ?? 'a parameter'}, more than once`, 'each parameter once'),
  },
  parameter_unsupported: {
    title: 'The parameter {sent} is not supported',
    why: '{description}. The server refuses the request, because the client expects the effect of the parameter.',
    fix: 'Leave the parameter out. The discovery document lists the supported parameters.',
    rfc: 'OIDC Core §3.1.2.6',
  },
  parameters_too_many: {
    title: 'The request has too many parameters',
    why: 'The limit is 100, far above every real request.',
    fix: 'Send only the parameters of the request.',
    rfc: 'RFC 6749 §3.1',
    compare: () => compareWords('more than 100 parameters', 'at most 100'),
  },
  store_unavailable: {
    title: 'The shared store does not answer',
    why: 'The replicas of this sandbox keep their state in an engine (STORE_URL), which is away or has no room. Nothing is kept in a replica instead, because two replicas would then disagree.',
    fix: 'Send the request again after the seconds in Retry-After. `GET /ready` tells when the engine answers again.',
    rfc: 'RFC 6749 §4.1.2.1',
    compare: compareSentAndExpected,
  },
  rate_limited: {
    title: 'Too many requests from one address',
    why: 'A setting of this sandbox limits the requests in a minute, to test how an app reacts.',
    fix: 'Wait for the seconds in Retry-After. The limit is a setting of the sandbox.',
    rfc: 'RFC 6585 §4',
    compare: refused => compareSentAndExpected({ ...refused, error: { ...refused.error, sent: 'one more request' } }),
    fixes: ({ error }) => [
      setting('Remove the limit', error.endpoint === 'login' ? 'LOGIN_RATE_LIMIT' : 'RATE_LIMIT', '0'),
    ],
  },
  user_unverified: {
    title: 'The e-mail address of the user is not verified',
    why: 'The provider that this sandbox speaks like gives no token for a user whose claim email_verified is false.',
    fix: 'Sign in as a user with a verified address, or show the user that the address must be verified first.',
    rfc: 'RFC 6749 §5.2',
  },
  on_token_denied: {
    title: 'onToken denied the token',
    why: 'The function onToken of the configuration called deny, or the Action that it runs did: {description}.',
    fix: 'Ask for a token that the function allows, or change the function in clients.config.ts.',
    rfc: 'RFC 6749 §4.1.2.1',
  },
  on_token_failed: {
    title: 'onToken of the configuration failed',
    why: '{description}. Your app did nothing wrong. The log of the sandbox has the stack.',
    fix: 'Mend the function onToken in clients.config.ts. A reload of the file is enough.',
    rfc: 'RFC 6749 §4.1.2.1',
  },
  token_too_large: {
    title: 'The token would have too many claims',
    why: '{description}. Your app did nothing wrong: the claims of the user, or the rules that make claims, are too large.',
    fix: 'Give the user fewer groups or roles, or put only those into the token that the client needs: look for lists inside lists in `tokenClaims`.',
    rfc: 'RFC 6749 §5.2',
  },
  internal: {
    title: 'The sandbox failed',
    why: 'The sandbox has a bug. Your app did nothing wrong. The log has the details under the id of this request.',
    fix: 'Report this bug of the sandbox. The log has the details under the id of the request.',
    rfc: 'RFC 6749 §4.1.2.1',
  },
} as const satisfies ReasonEntries;

function isInQuery({ description }: Case['error']): boolean {
  return description.includes('is in the query');
}

function isJson(type: string | undefined): boolean {
  return type?.includes('json') === true;
}

function isSwitchedOff(grant = ''): boolean {
  return grants.get(grant)?.feature !== undefined;
}

function requestedType({ error }: Case): string | undefined {
  return error.sent?.startsWith(ofType) ? error.sent.slice(ofType.length) : undefined;
}

const ofType = 'response_type=';

function neededGrant(refused: Case): string {
  const type = requestedType(refused);
  if (type === undefined) return refused.error.sent ?? '';
  const needsCode =
    type.split(' ').includes('code') && refused.client?.grant_types.includes('authorization_code') === false;
  return needsCode ? 'authorization_code' : 'implicit';
}

/** The members of the client with the grant, and with what the configuration demands of a client that has it. */
function membersWith(refused: Case, client: RegisteredClient, grant: string) {
  const type = requestedType(refused);
  if (type !== undefined) {
    const needed = type === 'code' ? [grant] : [grant, 'implicit'];
    return {
      grant_types: [...new Set([...client.grant_types, ...needed])],
      response_types: [...new Set([...client.response_types, type])],
    };
  }
  const grant_types = [...client.grant_types, grant];
  const { redirect_uris, redirect_uri_patterns = [], loopback_redirects } = client;
  const hasAddress = redirect_uris.length + redirect_uri_patterns.length > 0 || loopback_redirects;
  return grant !== 'authorization_code' || hasAddress ? { grant_types } : { grant_types, loopback_redirects: true };
}

/** Proposes the same members as a form, for fetch and for curl. */
function asForm(refused: Case): readonly ProposedFix[] {
  const { request, error } = refused;
  if (!isJson(error.sent) || error.expected?.includes('form') !== true) return [];
  const members = membersOf(request?.exchange.requestBody?.text ?? '');
  const basic = sentHeader(refused, 'authorization')?.toLowerCase().startsWith('basic') === true;
  const options = basic ? ['--user "$CLIENT_ID:$CLIENT_SECRET"'] : [];
  return [
    advice(
      'Send a form.',
      inApp("fetch(url, { method: 'POST', body: new URLSearchParams({ grant_type: 'authorization_code', … }) })"),
      curlForm(endpointUrl(refused, error.endpoint), members, options),
    ),
  ];
}

function membersOf(body: string): readonly (readonly [string, string])[] {
  const members = Object.entries(recordIn(body) ?? {});
  return members.flatMap(([name, each]) => (typeof each === 'string' ? [[name, each] as const] : []));
}
