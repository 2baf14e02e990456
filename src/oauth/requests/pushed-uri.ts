/** RFC 9126 §2.2. */
export const pushedUriPrefix = 'urn:ietf:params:oauth:request_uri:';

/** Whether a `request_uri` is of the kind the pushed authorization request endpoint gives. */
export function isPushedUri(uri: string | undefined): uri is string {
  return uri?.startsWith(pushedUriPrefix) === true;
}
