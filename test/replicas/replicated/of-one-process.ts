/** The flow tests that cannot run over replicas, by the name of the file, with the reason. */
export const ofOneProcess: Readonly<Record<string, string>> = {
  exhausted: 'tests a process without file descriptors',
  process: 'tests the process itself: its exit codes, signals, files and lines of its log',
  npm: 'tests with which signals the process ends that npm runs',
  reload: 'tests how one process watches its file; a reload by a call runs over replicas in token-claims',
  guides: 'follows the README and the guides, which start a process of their own',
  commands: 'tests commands that end, without a sandbox that runs',
  twin: 'tests commands that end, and a twin that one process is',
  environment: 'tests variables and ports of one process',
  'import-at-start': 'tests what the start of one process prints, and a file that one process watches',
  'keycloak-import': 'tests what a command and the start of one process print about an import',
  hostile: 'sends bytes that no HTTP client sends, for the parser of one process; the balancer has a parser of its own',
  https: 'each replica makes a certificate of its own; replicas behind a balancer have HTTPS at the balancer',
  'mutual-tls': 'the certificate of the client ends at the balancer',
  'extra-authorities': 'tests which authorities one process trusts, by HTTPS',
};

/** What replicas do not share yet, by the file and a part of the full name of its tests; the page on replicas says so, too. */
export const notShared: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  playground: { '': 'a run of the playground is in the memory of the replica that began it' },
  'playground-clients': {
    'speaks plain HTTP': 'a run of the playground is in the memory of the replica that began it',
  },
  breakpoints: { '': 'a breakpoint, and the answers that it holds, are in the memory of one replica' },
  'demo-app': { '': 'the logins of the demo application are in the memory of the replica that began them' },
  'cognito-pool': {
    'temporary password': 'the challenges and states of a pool are in the memory of one replica',
    'signs up': 'the challenges and states of a pool are in the memory of one replica',
    'changes attributes': 'the challenges and states of a pool are in the memory of one replica',
    'add, find and remove': 'the challenges and states of a pool are in the memory of one replica',
    'confirm users': 'the challenges and states of a pool are in the memory of one replica',
    'manage groups': 'the challenges and states of a pool are in the memory of one replica',
  },
  'okta-management': { '': 'states of users, groups and apps of the org are in the memory of one replica' },
  protocol: { '/health is UP': 'it names the store, too, of which engine-outage tests' },
  okta: { 'has the headers of Okta': 'the counters of its rate limit headers are those of one replica' },
  relaxations: {
    'certificate of itself': 'the certificate of a key is made by each replica',
    'unused for the longest time': 'each replica knows the last use of an issuer made by a request itself',
    'encrypt its request object': 'the keys for encryption are made by each replica',
  },
};
