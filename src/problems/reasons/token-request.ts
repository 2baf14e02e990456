import { grants } from '../../oauth/grants/index.ts';
import { recordIn } from '../../text/record.ts';
import { type Case, sentHeader, shown } from '../case.ts';
import { compareListed, compareNearest, compareSentAndExpected, compareWords, registeredFor } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { nearestNames } from '../nearest-names.ts';
import type { ProposedFix } from '../problem.ts';
import { advice, patchClient, setting } from '../remedies.ts';
import { curlForm, endpointUrl, inApp } from '../source-text.ts';

/** How a request is written, and which grant it names. */
export const tokenRequestEntries = {
  grant_type_unsupported: {
    title: ({ error }) => `There is no grant type ${shown(error.sent ?? '', 60)} here`,
    why: ({ error }) => {
      const feature = grants.get(error.sent ?? '')?.feature;
      return feature === undefined
        ? 'The value is none of the grant types this server knows. They are compared character by character, and the longer ones are URNs.'
        : 'This server knows the grant, but it is switched off here.';
    },
    fix: 'Use one of the grant types in the discovery document; mind the spelling, long ones are URNs.',
    rfc: 'RFC 6749 §5.2',
    compare: ({ error }) => compareNearest(error.sent ?? '', (error.expected ?? '').split(', '), 'Supported'),
    fixes: ({ error }) => {
      const feature = grants.get(error.sent ?? '')?.feature;
      if (feature !== undefined) return [setting('Switch it on', 'FEATURES', `${feature}=on`)];
      const [near] = nearestNames(error.sent ?? '', (error.expected ?? '').split(', '));
      return near === undefined ? [] : [advice('Send the closest match.', inApp(`grant_type=${near}`))];
    },
  },
  grant_type_not_registered: {
    title: refused => `${refused.who} is not registered for ${shown(neededGrant(refused), 80)}`,
    why: ({ error }) =>
      error.endpoint === 'token'
        ? 'A client gets tokens only by the grants it is registered for.'
        : 'What comes with this response_type belongs to a grant that the client is not registered for.',
    fix: "Add the grant to the client's grant_types in clients.config.ts, or use a client that has it.",
    rfc: 'RFC 6749 §5.2',
    compare: compareListed(', ', registeredFor),
    fixes: refused => {
      const grant = neededGrant(refused);
      const { client, who } = refused;
      if (client === undefined || client.grant_types.includes(grant)) return [];
      return [
        patchClient(refused, `Enable ${shown(grant, 80)} for ${who}`, { grant_types: [...client.grant_types, grant] }),
      ];
    },
  },
  content_type_unsupported: {
    title: ({ error }) =>
      isJson(error.sent) ? 'The body is JSON, and has to be a form' : 'The body has another type than expected',
    why: ({ error }) =>
      isJson(error.sent) && error.expected?.includes('form') === true
        ? 'OAuth endpoints read application/x-www-form-urlencoded: name=value pairs with & between. Libraries such as axios send JSON unless they are told otherwise.'
        : `${error.description}.`,
    fix: 'Send Content-Type: application/x-www-form-urlencoded, or application/json to register a client. Nothing else is understood.',
    rfc: 'RFC 6749 §3.2',
    fixes: asForm,
    references: ['RFC 6749 §4.1.3'],
  },
  body_malformed: {
    title: 'The body cannot be read',
    why: '{description}. What cannot be read is not guessed.',
    fix: 'Encode the body as a form: name=value pairs joined by &, each percent-encoded as UTF-8. Registration alone takes JSON.',
    rfc: 'RFC 6749 §3.2',
  },
  body_too_large: {
    title: 'The request is too large',
    why: 'No request of this kind is so long; the limit keeps a mistake from filling the memory.',
    fix: 'Send only the parameters of the request; the limit is 64 KiB; for the control API 1 MiB and 5000 values.',
    rfc: 'RFC 9110 §15.5.14',
  },
  parameter_missing: {
    title: ({ error }) => `${error.expected ?? 'A parameter'} is missing`,
    why: ({ error, parameters }) =>
      parameters.get(error.expected ?? '') === ''
        ? `${error.expected} is there, but empty, which counts as missing: look for a variable that is not set.`
        : 'The request cannot be answered without it. It has to be in the query of a GET and in the form of a POST; nothing else is read.',
    fix: 'Add the parameter. An empty value counts as absent.',
    rfc: 'RFC 6749 §3.1',
    compare: ({ error, parameters }) =>
      compareWords(
        [...parameters.keys()].slice(0, 30).join(', ') || 'no parameters',
        `${error.expected ?? ''} among them`,
      ),
    fixes: ({ parameters, error }) => {
      const [near] = nearestNames(error.expected ?? '', parameters.keys());
      return near === undefined
        ? []
        : [advice(`Is ${shown(near, 60)} meant to be ${error.expected}?`, inApp(`${error.expected}=…`))];
    },
  },
  parameter_repeated: {
    title: '{sent} was sent more than once',
    why: 'Of two values nobody can say which one counts: a proxy may check one, and the server use the other.',
    fix: 'Send each parameter once. Look for a library that appends to an address which already has it.',
    rfc: 'RFC 6749 §3.1',
    compare: ({ error }) => compareWords(`${error.sent ?? 'a parameter'}, more than once`, 'each parameter once'),
  },
  parameter_unsupported: {
    title: '{sent} is not offered here',
    why: '{description}. A server that ignored it would do something else than the client expects.',
    fix: 'Leave the parameter out; the discovery document says what is offered.',
    rfc: 'OIDC Core §3.1.2.6',
  },
  parameters_too_many: {
    title: 'The request has more parameters than any real one',
    why: 'The limit is 100; no request of OAuth comes near.',
    fix: 'Send only the parameters of the request.',
    rfc: 'RFC 6749 §3.1',
    compare: () => compareWords('more than 100 parameters', 'at most 100'),
  },
  rate_limited: {
    title: 'Too many requests from one address',
    why: 'The setting of this sandbox allows no more in a minute. It is there to test what an app does then.',
    fix: 'Wait as long as Retry-After says. The limit is a setting of the sandbox.',
    rfc: 'RFC 6585 §4',
    compare: refused => compareSentAndExpected({ ...refused, error: { ...refused.error, sent: 'one more' } }),
    fixes: ({ error }) => [
      setting('Take the limit away', error.endpoint === 'login' ? 'LOGIN_RATE_LIMIT' : 'RATE_LIMIT', '0'),
    ],
  },
  internal: {
    title: 'The sandbox failed',
    why: 'This is a mistake of the sandbox, not of the app. What happened is in its log, under the id of this request.',
    fix: 'This one is on us. The log has the details under the id of the request.',
    rfc: 'RFC 6749 §4.1.2.1',
  },
} as const satisfies ReasonEntries;

function isJson(type: string | undefined): boolean {
  return type?.includes('json') === true;
}

/** At the authorization endpoint the grant follows from the response type. */
function neededGrant({ error, client }: Case): string {
  if (error.endpoint !== 'authorize' && error.endpoint !== 'par') return error.sent ?? '';
  const type = error.sent?.replace('response_type=', '') ?? '';
  const needsCode = type.split(' ').includes('code') && client?.grant_types.includes('authorization_code') === false;
  return needsCode ? 'authorization_code' : 'implicit';
}

/** The same members as curl, and as fetch, send a form. */
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
