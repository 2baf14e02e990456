import { code, table, valuesOf, wrapped } from './table.mjs';

const effects = { reads: 'reads', adds: 'creates', replaces: 'changes or ends' };

/** The tools of `grantbox mcp`. */
export function renderAgentTools({ tools }) {
  const rows = tools.map(({ name, description, effect }) => [code(name), description.split('. ')[0], effects[effect]]);
  return table(
    ['tool', 'purpose', 'effect'],
    rows.map(([name, purpose, effect]) => [name, purpose.replace(/\.$/, ''), effect]),
  );
}

/** The types of webhooks. */
export function renderWebhookTypes({ webhookTypes }) {
  return table(
    ['type', 'sent when'],
    Object.entries(webhookTypes).map(([type, about]) => [code(type), about]),
  );
}

/** What the check of a task can wait for, and compare. */
export function renderEventTypes({ eventTable, stampFields }) {
  const rows = Object.entries(eventTable).map(([type, { when, fields }]) => [
    code(type),
    when,
    fields.map(code).join(', '),
  ]);
  return table(['type', 'when', 'fields'], [...rows, ['each type', 'always', stampFields.map(code).join(', ')]]);
}

/** What a check can read of a request and its answer. */
export function renderReadings({ readings, requestParts }) {
  return [
    table(
      ['in `request`', 'is'],
      Object.entries(requestParts).map(([name, about]) => [code(name), about]),
    ),
    table(
      ['`exchange` and `read`', 'reads'],
      Object.entries(readings).map(([name, about]) => [code(name), about]),
    ),
  ].join('\n\n');
}

/** The lessons that are no labs, with what each is for. */
export async function renderLessons({ loadAll }) {
  const lessons = (await loadAll()).filter(({ text }) => text.lab === undefined);
  const rows = lessons.map(({ text: { title, level, minutes, aim } }) => [title, level, minutes, aim]);
  return table(['lesson', 'level', 'minutes', 'afterwards you can'], rows);
}

/** The mistakes that lessons and labs show, by the kind of program. */
export function renderMistakes({ mistakes }) {
  const foundBy = ({ report = [], api = [] }) =>
    [...report.map(code), ...api.map(name => code(`api ${name}`))].join(', ');
  return mistakes
    .map(({ title, mistakes: rows }) =>
      table(
        [`mistake: ${title}`, 'an attacker', 'lab', 'lesson', 'read', 'found by'],
        rows.map(row => [
          ...[row.mistake, row.gain, row.lab ? code(row.lab) : '', row.lesson ? code(row.lesson) : ''],
          ...[row.section, foundBy(row)],
        ]),
      ),
    )
    .join('\n\n');
}

/** What can be careless in a lab. */
export function renderWeaknesses({ relaxationWords, apiWords, protectionWords }) {
  const short = text => text.replace(/^`\w+`: t/, 'T').replace(/\.$/, '');
  const off = ({ label }) => `The demo app leaves this out: ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  const rows = (member, words, about) =>
    Object.entries(words).map(([name, value]) => [code(member), code(name), about(value)]);
  return table(
    ['in `weak`', 'name', 'while the defence is off'],
    [
      ...rows('relax', relaxationWords, short),
      ...rows('api', apiWords, short),
      ...rows('unprotected', protectionWords, off),
    ],
  );
}

/** The one sentence of each lesson and lab. */
export async function renderSentences({ loadAll }) {
  const rows = (await loadAll()).map(({ text: { title, remember } }) => [title, remember]);
  return table(['lesson or lab', 'the one sentence to remember'], rows);
}

/** All paths of the sandbox, with their methods. */
export function renderEndpoints({ endpointRoutes, defaultPaths, otherRoutes, certificateRoutes }) {
  const routes = [...endpointRoutes({ paths: defaultPaths }, ''), ...otherRoutes, ...Object.values(certificateRoutes)];
  const rows = routes.map(({ methods, path, about, source }) => [methods.join(', '), code(path), about, source]);
  return table(['method', 'path', 'purpose', 'source'], rows);
}

export function renderCommands({ commands }) {
  const own = [
    ['start', 'starts the sandbox; the default'],
    ['healthcheck', 'tells whether a sandbox is running'],
    ...[...commands].map(([name, { summary }]) => [name, summary]),
  ];
  return table(
    ['command', 'purpose'],
    own.map(([name, summary]) => [code(`grantbox ${name}`), summary]),
  );
}

const places = {
  transport: 'Answers and connections',
  metadata: 'Metadata',
  keys: 'Keys',
  authorize: 'Authorization response',
  token: 'Token response',
  userinfo: 'UserInfo',
  api: 'Sample backend',
  jwt: 'Tokens',
};

/** The catalogue, by the place where a fault shows. */
export function renderFaults({ catalogue }) {
  const kinds = [...catalogue.values()];
  const known = new Set(Object.keys(places));
  for (const { name, place } of kinds) if (!known.has(place)) throw new Error(`${name} has the unknown place ${place}`);
  return Object.entries(places)
    .map(([place, title]) => {
      const rows = kinds.filter(kind => kind.place === place).map(faultRow);
      return `### ${title}\n\n${table(['fault', 'effect', 'parameters and defaults', 'endpoints'], rows)}`;
    })
    .join('\n\n');
}

/** The plans of the examiner, each with its modules. */
export function renderPlans({ planList }) {
  return planList()
    .map(({ id, title, about, modules }) => {
      const rows = modules.map(each => [
        code(each.id),
        `${each.title}. A right app: ${lowered(each.right)}`,
        each.references.join(', '),
      ]);
      const head = ['module', 'what happens', 'source'];
      return `### ${title}: ${code(id)}\n\n${about}\n\n${table(head, rows)}`;
    })
    .join('\n\n');
}

/** The checks of the client report, with the modules of the examiner that provoke them. */
export function renderChecks({ checkTable }) {
  const rows = checkTable().map(({ id, title, modules }) => [
    code(id),
    title,
    [...new Set(modules.map(module => module.id))].map(code).join(', ') || 'no module: it is only seen',
  ]);
  return table(['check of the report', 'a right app', 'provoked by'], rows);
}

function lowered(sentence) {
  return sentence[0].toLowerCase() + sentence.slice(1);
}

/** An object as JSON, anything else as text. */
function shown(value) {
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

function faultRow({ name, title, about, parameters, endpoints, endpoint }) {
  const defaults = Object.entries(parameters).map(([key, value]) => code(`${key}: ${shown(value)}`));
  const where = endpoints.length === 0 ? `any; default ${code(endpoint)}` : endpoints.map(code).join(', ');
  return [code(name), `${title}. ${about}`, defaults.join(', '), where];
}

/** The calls of the management API of a provider, with the part of their paths that is below `base`. `right` is its word for a right. */
export function renderManagementCalls(calls, base, right) {
  const several = new Set();
  const rows = calls.map(({ method, path, about, needs = [] }) => {
    const below = path.startsWith(`${base}/`) ? path.slice(base.length) : path;
    const rights = needs.map(code).join(', ');
    if (needs.length > 15) return [method, code(below), about, `any ${right}`];
    if (needs.length < 8) return [method, code(below), about, rights || 'none'];
    several.add(rights);
    return [method, code(below), about, `a ${right} of the list`];
  });
  const text = table(['method', 'path', 'purpose', `one of these ${right}s`], rows);
  if (several.size > 1) throw new Error(`There is more than one long list of ${right}s`);
  return [text, ...[...several].map(list => wrapped(`The list of ${right}s: ${list}.`))].join('\n\n');
}

/** Every action of the user pool API of Cognito. */
export function renderPoolActions({ poolActions }) {
  const rows = poolActions.map(({ path, about, needs }) => [
    code(path.slice(1)),
    about,
    needs === undefined ? 'no' : 'yes',
  ]);
  return table(['action', 'purpose', 'signed'], rows);
}

/** Bodies that are entries of a configuration file: their members have a page of their own. */
const entries = { clients: 'clients', users: 'users', scopes: 'scopes', resources: 'collections' };

/** All operations of the OpenAPI document, by their first path segment. */
export function renderControlApi({ openapiDocument, operations }) {
  const facts = { server: 'http://localhost:9000/_sandbox', version: '', label: '', needsToken: false };
  const { paths } = openapiDocument(operations, facts);
  const byTag = new Map();
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(item)) {
      const tag = (described.tags?.[0] ?? 'description').replace('openapi.json', 'description');
      byTag.set(tag, [...(byTag.get(tag) ?? []), { ...described, path, method: method.toUpperCase(), tag }]);
    }
  }
  return [...byTag].map(([tag, own]) => renderTag(tag, own)).join('\n\n');
}

function renderTag(tag, own) {
  const title = `### ${tag[0].toUpperCase()}${tag.slice(1).replaceAll('-', ' ')}`;
  const overview = table(
    ['request', 'purpose', 'answers'],
    own.map(({ method, path, summary, responses }) => [code(`${method} ${path}`), summary, statuses(responses)]),
  );
  const entry = entries[tag];
  const link = entry && `A body has the [members of ${entry}](clients-and-users.md#${entry}).`;
  return [title, overview, ...(link ? [link] : []), ...own.flatMap(renderInput)].join('\n\n');
}

function statuses(responses) {
  return Object.keys(responses).join(', ');
}

/** The members of a query and of a body, if the operation has any of its own. */
function renderInput({ method, path, tag, parameters = [], requestBody }) {
  const query = parameters.filter(each => each.in === 'query').map(each => memberRow('query', each));
  const { properties = {}, required = [] } = requestBody?.content['application/json'].schema ?? {};
  const body = Object.entries(properties).map(([name, schema]) =>
    memberRow('body', { name, schema, description: schema.description, required: required.includes(name) }),
  );
  const rows = [...query, ...(tag in entries ? [] : body)];
  if (rows.length === 0) return [];
  return [`${code(`${method} ${path}`)} takes:`, table(['member', 'in', 'value', 'description'], rows)];
}

/** A member whose values have a page of their own leaves them to it. */
function memberRow(where, { name, schema, description = '', required }) {
  const about = description.startsWith('As in the dashboard') ? search : (ownPages[name] ?? description);
  return [code(name), where, valuesOf(schema, name), required ? `Required. ${about}` : about];
}

const search = 'A [search](dashboard.md#search). An unknown operator is an error';
const ownPages = {
  fault: 'A name of the [catalogue](faults.md)',
  defect: 'The defect of the token, on purpose',
};

/** The operators of a search. */
export function renderOperators({ openapiDocument, operations }) {
  const facts = { server: 'http://localhost:9000/_sandbox', version: '', label: '', needsToken: false };
  const { parameters } = openapiDocument(operations, facts).paths['/events'].get;
  const { description } = parameters.find(({ name }) => name === 'q');
  const [, operators] = /Operators: (.+)\. A free word/.exec(description);
  const names = operators.split(', ').map(each => code(`${each}:`));
  return wrapped(`The operators are ${names.join(', ')}. A free word is searched in every text.`);
}

/** The metrics of Grantbox itself. */
export function renderMetrics({ metricRows, gaugeRows }) {
  const rows = [...metricRows, ...gaugeRows.map(row => ({ type: 'gauge', ...row }))];
  return table(
    ['metric', 'type', 'labels', 'meaning'],
    rows.map(({ name, type, labels, help }) => [code(name), type, labels.map(code).join(', '), help]),
  );
}

/** What a sandbox accumulates; a limit that a setting has is shown with its default. */
export function renderLimits({ limitRows, settings }) {
  const defaults = Object.fromEntries(Object.entries(settings).map(([name, row]) => [name, row.default]));
  const rows = limitRows.map(({ what, most, setting, whenFull }) => {
    const limit = (typeof most === 'number' ? most : most(defaults)).toLocaleString('en');
    return [what, setting === undefined ? limit : `${limit} (${code(setting)})`, whenFull];
  });
  return table(['kept', 'at most', 'when full'], rows);
}
