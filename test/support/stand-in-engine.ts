import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const bundle = join(import.meta.dirname, '..', '..', 'dist', 'grantbox.cjs');

/**
 * Writes a command that understands the words of Docker's command line which the fixtures use, and returns its path. Its
 * container is the built sandbox as a process at the published port; `log` in the same folder has each call.
 */
export function writeStandInEngine(folder: string): string {
  const path = join(folder, 'engine');
  const script = `#!/bin/sh
echo "$*" >>'${folder}/log'
case $1 in
  run)
    port=$(echo "$*" | sed -E 's/.*--publish 127\\.0\\.0\\.1:([0-9]+):9000.*/\\1/')
    for word; do image=$word; done
    [ "$image" = grantbox:latest ] || { echo "no such image: $image" >&2; exit 125; }
    PORT=$port '${process.execPath}' '${bundle}' >'${folder}/out' 2>&1 &
    echo $!
    ;;
  inspect) for word; do id=$word; done; kill -0 "$id" 2>/dev/null && echo true || echo false ;;
  logs) cat '${folder}/out' ;;
  rm) for word; do id=$word; done; kill "$id" ;;
esac
`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}
