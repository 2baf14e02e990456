/** Delegated permissions of Microsoft Graph that applications usually ask for. Each application may, because it counts as consented. */
export const graphPermissions: readonly string[] = [
  ...named('User', 'Read', 'ReadWrite', 'ReadBasic.All', 'Read.All', 'ReadWrite.All'),
  ...named('Mail', 'Read', 'ReadBasic', 'ReadWrite', 'Send', 'Read.Shared', 'ReadWrite.Shared', 'Send.Shared'),
  ...named('MailboxSettings', 'Read', 'ReadWrite'),
  ...named('Calendars', 'Read', 'ReadBasic', 'ReadWrite', 'Read.Shared', 'ReadWrite.Shared'),
  ...named('Contacts', 'Read', 'ReadWrite', 'Read.Shared', 'ReadWrite.Shared'),
  ...named('People', 'Read', 'Read.All'),
  ...named('Presence', 'Read', 'Read.All', 'ReadWrite'),
  ...named('Files', 'Read', 'ReadWrite', 'Read.All', 'ReadWrite.All', 'Read.Selected', 'ReadWrite.Selected'),
  ...named('Files', 'ReadWrite.AppFolder'),
  ...named('Sites', 'Read.All', 'ReadWrite.All', 'Manage.All', 'FullControl.All', 'Selected'),
  ...named('Notes', 'Read', 'Create', 'ReadWrite', 'Read.All', 'ReadWrite.All'),
  ...named('Tasks', 'Read', 'ReadWrite', 'Read.Shared', 'ReadWrite.Shared'),
  ...named('Chat', 'Create', 'Read', 'ReadBasic', 'ReadWrite'),
  ...named('ChatMessage', 'Read', 'Send'),
  ...named('Channel', 'ReadBasic.All', 'Create'),
  ...named('ChannelMessage', 'Read.All', 'Send'),
  ...named('Team', 'ReadBasic.All', 'Create'),
  ...named('TeamMember', 'Read.All', 'ReadWrite.All'),
  ...named('OnlineMeetings', 'Read', 'ReadWrite'),
  ...named('Group', 'Read.All', 'ReadWrite.All'),
  ...named('GroupMember', 'Read.All', 'ReadWrite.All'),
  ...named('Directory', 'Read.All', 'ReadWrite.All', 'AccessAsUser.All'),
  ...named('Organization', 'Read.All', 'ReadWrite.All'),
  ...named('Application', 'Read.All', 'ReadWrite.All'),
  ...named('AppRoleAssignment', 'ReadWrite.All'),
  ...named('RoleManagement', 'Read.All', 'Read.Directory', 'ReadWrite.Directory'),
  ...named('Device', 'Read', 'Read.All', 'Command'),
  ...named('AuditLog', 'Read.All'),
  ...named('Reports', 'Read.All'),
  ...named('Policy', 'Read.All'),
];

function named(what: string, ...rights: readonly string[]): readonly string[] {
  return rights.map(right => `${what}.${right}`);
}

const byLowerCase = new Map(graphPermissions.map(name => [name.toLowerCase(), name]));

/** The name as Graph writes it, whatever its case is; undefined for another scope. */
export function graphPermission(scope: string): string | undefined {
  return byLowerCase.get(scope.toLowerCase());
}
