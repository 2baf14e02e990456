/** Installs the packages of a folder of tests where they are missing or older than its lock file; true if it installed them. */
export function installForTests(
  folder: string,
  environment?: { readonly run?: (folder: string) => void; readonly say?: (line: string) => void },
): boolean;

/** Puts the built package beside the client libraries, as a user has it installed. */
export function installOwnPackage(): void;
