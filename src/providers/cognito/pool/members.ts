import type { CallInput } from '../../management/call.ts';
import { type MembersOf, membersIn, type Shape } from '../../management/members.ts';

/**
 * Every member of a request, in whichever action. The sandbox does nothing with some of them: a wrong kind is refused all the
 * same, as AWS does before it looks at a value.
 */
const shape = {
  AccessToken: 'text',
  AccessTokenValidity: 'number',
  AllowedOAuthFlows: 'texts',
  AllowedOAuthFlowsUserPoolClient: 'flag',
  AllowedOAuthScopes: 'texts',
  AnalyticsMetadata: 'record',
  AttributesToGet: 'texts',
  AuthFlow: 'text',
  AuthParameters: 'record',
  CallbackURLs: 'texts',
  ChallengeName: 'text',
  ChallengeResponses: 'record',
  ClientId: 'text',
  ClientMetadata: 'record',
  ClientName: 'text',
  ClientSecret: 'text',
  ConfirmationCode: 'text',
  ContextData: 'record',
  DefaultRedirectURI: 'text',
  Description: 'text',
  DesiredDeliveryMediums: 'texts',
  DeviceKey: 'text',
  EmailMfaSettings: 'record',
  EnableTokenRevocation: 'flag',
  ExplicitAuthFlows: 'texts',
  Filter: 'text',
  ForceAliasCreation: 'flag',
  FriendlyDeviceName: 'text',
  GenerateSecret: 'flag',
  GroupName: 'text',
  IdTokenValidity: 'number',
  Limit: 'number',
  LogoutURLs: 'texts',
  MaxResults: 'number',
  MessageAction: 'text',
  NextToken: 'text',
  PaginationToken: 'text',
  Password: 'text',
  Permanent: 'flag',
  Precedence: 'number',
  PreventUserExistenceErrors: 'text',
  PreviousPassword: 'text',
  ProposedPassword: 'text',
  ReadAttributes: 'texts',
  RefreshToken: 'text',
  RefreshTokenRotation: 'record',
  RefreshTokenValidity: 'number',
  RoleArn: 'text',
  SMSMfaSettings: 'record',
  SecretHash: 'text',
  Session: 'text',
  SoftwareTokenMfaSettings: 'record',
  SupportedIdentityProviders: 'texts',
  TemporaryPassword: 'text',
  Token: 'text',
  TokenValidityUnits: 'record',
  UserAttributes: 'records',
  UserCode: 'text',
  UserContextData: 'record',
  UserPoolId: 'text',
  Username: 'text',
  ValidationData: 'records',
  WriteAttributes: 'texts',
} as const satisfies Shape;

/** The members of a request. */
export type SentMembers = MembersOf<typeof shape>;

/** @throws SerializationException for a member of the wrong kind */
export function membersOf({ body }: Pick<CallInput, 'body'>): SentMembers {
  return membersIn(body, shape);
}
