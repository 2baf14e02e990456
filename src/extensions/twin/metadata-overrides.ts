import type { SandboxConfig } from '../../sandbox/config/sandbox-config.ts';
import type { FactRow } from './fact-row.ts';
import type { SampleMembers } from './samples.ts';

/** Members that inform and promise nothing, so that the sandbox may say them. */
const informing = [
  'claims_supported',
  'claims_locales_supported',
  'display_values_supported',
  'service_documentation',
  'op_policy_uri',
  'op_tos_uri',
  'tenant_region_scope',
  'cloud_instance_name',
];

const mostMembers = 200;

/**
 * Metadata by hand, so that it says what your server says. It never promises more than the sandbox keeps: members and items are
 * removed, and only those added that inform.
 */
export function withMetadata(config: SandboxConfig, rows: readonly FactRow[], metadata: SampleMembers): SandboxConfig {
  const written = rows.flatMap(({ fact, verdict, yours, ours }): (readonly [string, unknown])[] => {
    const name = /^metadata\.(.+)$/.exec(fact)?.[1];
    if (name === undefined || verdict === 'same' || name === '__proto__') return [];
    if (yours === undefined) return [[name, null]];
    if (informing.includes(name) && isPlain(metadata[name])) return [[name, metadata[name]]];
    const fewer = fewerThan(yours, ours);
    return fewer === undefined ? [] : [[name, fewer]];
  });
  if (written.length === 0) return config;
  return { ...config, metadataOverrides: Object.fromEntries(written.slice(0, mostMembers)) };
}

/** A text, or a list of some texts. */
function isPlain(value: unknown): boolean {
  return [value].flat().every(item => typeof item === 'string') && JSON.stringify(value).length < 5000;
}

/** The promises of both; undefined where that is what the sandbox says already. */
function fewerThan(yours: unknown, ours: unknown): unknown {
  if (yours === false && ours !== false) return false;
  if (!Array.isArray(yours) || !Array.isArray(ours)) return undefined;
  const both = yours.filter(item => ours.includes(item));
  return both.length === 0 || both.length === ours.length ? undefined : both;
}
