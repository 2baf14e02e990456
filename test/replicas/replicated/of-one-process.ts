/** The flow tests that cannot run over replicas, by the name of the file, with the reason. */
export const ofOneProcess: Readonly<Record<string, string>> = {
  exhausted: 'tests a process without file descriptors',
  process: 'tests the process itself: its exit codes, signals, files and lines of its log',
  reload: 'tests how one process watches its file; a reload by a call runs over replicas in token-claims',
  commands: 'tests commands that end, without a sandbox that runs',
  twin: 'tests a command that ends, and then the self-test of one process',
  environment: 'tests variables and ports of one process',
  testcontainers: 'tests a container, which is one process',
  https: 'each replica makes a certificate of its own; replicas behind a balancer have HTTPS at the balancer',
  'mutual-tls': 'the certificate of the client ends at the balancer',
  'extra-authorities': 'tests which authorities one process trusts, by HTTPS',
};
