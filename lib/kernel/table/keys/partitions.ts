import { createHash } from 'node:crypto'

/**
 * How the partition keys of each kind of item begin. The role of each function is limited to some of them. A name that
 * ends with `#` begins many partitions. Any other name is one partition.
 */
export const partitions = {
  accessLink: 'access-token#',
  /** The events that each user caused, in shards, in an index. */
  actorEvents: 'actor-events#',
  /** Users who will be deleted as they asked, by the day. */
  accountDeletions: 'account-deletions',
  /** How many users were last seen on each day, in shards. */
  activeUsers: 'active-users#',
  /** What was counted in each month, in a partition for each chain of audit events. */
  activity: 'activity#',
  /** Markers of custom API tokens. The tokens are in the partition of their user. */
  apiToken: 'api-token#',
  /** The list of all API tokens in the listing index. */
  apiTokenList: 'api-token-list#',
  audit: 'audit#',
  auditArchive: 'audit-archive',
  auditChain: 'audit-chain#',
  auditCheckpoints: 'audit-checkpoints',
  auditSurvey: 'audit-survey',
  /** What documents manage: see `lib/features/configuration`. */
  configuration: 'configuration',
  /** Connections to identity providers, with their sign-ins that are in progress. */
  connection: 'connection#',
  counter: 'counter#',
  /** The events of callers with each credential, in shards, in an index. */
  credentialEvents: 'credential-events#',
  dataKey: 'data-key#',
  deletedUser: 'deleted-user#',
  easySharing: 'easy-sharing#',
  email: 'email#',
  emailClaims: 'email-claims#',
  emailCode: 'email-code#',
  /** Own words of emails, and what they were before, in a partition for each owner. */
  emailText: 'email-text#',
  emailTextHistory: 'email-text-history#',
  group: 'group#',
  /** The lists of the members of each group by name, in the listing index. */
  groupMemberList: 'group-member-list#',
  groupName: 'group-name#',
  guest: 'guest#',
  guestEmail: 'guest-email#',
  linkMail: 'link-mail#',
  loginPair: 'login-pair#',
  /** The organizations that invite an address. */
  invitedAddress: 'invited-address#',
  /** Images of logos, by their hash. */
  logo: 'logo#',
  /** Assertions by which a client proved who it is, until they expire. */
  oauthAssertion: 'oidc-assertion#',
  /** Clients of OpenID Connect. */
  client: 'oidc-client#',
  clientCount: 'oidc-clients',
  /** Clients that describe themselves, by the hash of the address of their document. */
  clientDocument: 'oidc-client-document#',
  clientName: 'oidc-client-name#',
  oauthCode: 'oidc-code#',
  /** Devices that wait for a user to sign in on another one. */
  oauthDevice: 'oidc-device#',
  /** What a user allowed a client of OpenID Connect, for each sign-in. */
  oauthGrant: 'oidc-grant#',
  /** Authorizations that a sign-in completed. Until then, browsers keep them: see `lib/features/oauth/interactions.ts`. */
  oauthInteraction: 'oidc-interaction#',
  /** Parameters of authorizations that clients sent ahead (RFC 9126). */
  oauthPushedRequest: 'oidc-pushed-request#',
  oauthRefreshToken: 'oidc-refresh-token#',
  /** Access tokens that their client revoked. */
  oauthRevokedToken: 'oidc-revoked-token#',
  /** APIs that clients of OpenID Connect get access tokens for. */
  protectedApi: 'protected-api#',
  /** What tokens for these APIs may state, by the hash of the audience. */
  protectedApiAudience: 'protected-api-audience#',
  protectedApiCount: 'protected-apis',
  protectedApiName: 'protected-api-name#',
  /** Organizations with their counts. Memberships are in the partitions of users. */
  organization: 'organization#',
  /** The audit events about each organization, in shards, in an index. */
  organizationAuditEvents: 'organization-audit-events#',
  /** The connections of each organization. */
  organizationConnections: 'organization-connections#',
  /** Invitations to organizations whose emails wait, in the order of time. */
  delayedInvitations: 'delayed-invitations',
  /** Organizations that will be deleted as their owners asked, by the day. */
  organizationEndings: 'organization-endings',
  /** What happened in each organization, as its people may see it. The chains of audit events fill it. */
  organizationEvents: 'organization-events#',
  organizationExternalId: 'organization-external-id#',
  /** What roles of organizations allow, in equal copies. Each request that names an organization reads one of them. */
  organizationRights: 'organization-rights#',
  /** Invitations to organizations. */
  organizationInvitation: 'organization-invitation#',
  /** The lists of the invitations of each organization in the listing index. */
  organizationInvitationList: 'organization-invitation-list#',
  /** The lists of the members of each organization in the listing index. */
  organizationMemberList: 'organization-member-list#',
  /** Slugs of organizations, also those that they had before. */
  organizationSlug: 'organization-slug#',
  /** Ended sessions whose OpenID Connect clients have to be informed. */
  logoutJobs: 'logout-job#',
  /** Mail jobs. */
  outbox: 'outbox#',
  /** Markers of passkeys. The passkeys are in the partition of their user. */
  passkey: 'passkey#',
  passkeyChallenge: 'passkey-challenge#',
  /** The private parts of signing keys, which only the function that signs may read. */
  privateSigningKeys: 'private-signing-keys',
  rate: 'rate#',
  /** Lists in the listing index: subjects that reached a rate limit, and addresses that receive no email. */
  rateLimitedList: 'rate-limited#',
  companyAccount: 'company-account#',
  /** The lists of the users of each provider in the listing index. */
  companyAccountList: 'company-account-list#',
  connectionDomain: 'connection-domain#',
  samlEntity: 'saml-entity#',
  connectionSessions: 'connection-sessions#',
  /** The SAML providers that the sign-in page shows, and whether any domain leads to one. */
  signInPage: 'sign-in-page',
  /** The people and groups that the directory of each connection sends, its tokens and its counts: see `lib/features/provisioning`. */
  scim: 'scim#',
  settings: 'settings#',
  setup: 'setup#',
  /** Links with which people sign up. */
  signUpLink: 'sign-up-link#',
  /** People who wait for the approval of their account. */
  signUpRequests: 'sign-up-requests',
  /** The public parts of signing keys. */
  signingKeys: 'signing-keys',
  suppressed: 'suppressed#',
  suppressedList: 'suppressed-list#',
  ticket: 'ticket#',
  /** How many records of each kind there are, in shards. */
  totals: 'totals#',
  /** Challenges of proofs of work that were used. */
  usedProof: 'used-proof#',
  /** Users with their sessions, API tokens, passkeys and other dependent items. */
  user: 'user#',
  /** The users with each value of the searchable attribute. */
  userAttribute: 'user-attribute#',
  userTemplate: 'user-template#',
  userTemplateName: 'user-template-name#',
  username: 'username#',
} as const

/**
 * The shard from 0 to `count` - 1 that a text belongs to. Equal texts have equal shards, and different texts spread
 * evenly. DynamoDB limits the writes of a partition key to 1,000 units in a second, so busy kinds of items use several.
 */
export const getShard = (text: string, count: number): number =>
  (createHash('sha256').update(text).digest()[0] ?? 0) % count
