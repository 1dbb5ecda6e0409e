import type { Key } from '../../kernel/table/keys/keys.ts'
import { partitions } from '../../kernel/table/keys/partitions.ts'
import type { CredentialKind } from '../../kernel/util/credential-prefixes.ts'

/*
 * Everything that somebody can hold: credentials, rights, invitations and memberships, with what ends each of them. Reports, runbooks and
 * tests take their lists from here. A prefix without a row does not compile, and neither does a row without the code that ends it.
 */

export type PartitionName = keyof typeof partitions

interface RecordPlace {
  readonly partition: PartitionName
  /** How the sort key begins. */
  readonly sk: string
}

interface StoredRecord {
  /** Whether `table export` has it. The rest stays with the service where it happened. */
  readonly isExported: boolean
  readonly places: readonly RecordPlace[]
}

/** The records that holdings are in. Several holdings can be parts of one record. */
export const holdingRecords = {
  user: { isExported: true, places: [{ partition: 'user', sk: 'user' }] },
  session: { isExported: false, places: [{ partition: 'user', sk: 'session#' }] },
  resetToken: { isExported: false, places: [{ partition: 'user', sk: 'reset#' }] },
  secondFactorToken: { isExported: false, places: [{ partition: 'user', sk: 'second-factor#' }] },
  securityReport: { isExported: false, places: [{ partition: 'user', sk: 'security-report#' }] },
  rememberedDevice: { isExported: false, places: [{ partition: 'user', sk: 'remembered-device#' }] },
  // A custom API token has a marker besides its item. Both are deleted together.
  apiToken: {
    isExported: true,
    places: [
      { partition: 'user', sk: 'api-token#' },
      { partition: 'apiToken', sk: 'api-token' },
    ],
  },
  passkey: { isExported: true, places: [{ partition: 'user', sk: 'passkey#' }] },
  linkedAccount: { isExported: true, places: [{ partition: 'user', sk: 'company-account#' }] },
  membership: { isExported: true, places: [{ partition: 'user', sk: 'organization#' }] },
  ticket: { isExported: false, places: [{ partition: 'ticket', sk: 'ticket' }] },
  passkeyChallenge: {
    isExported: false,
    places: [{ partition: 'passkeyChallenge', sk: 'passkey-challenge' }],
  },
  emailCode: { isExported: false, places: [{ partition: 'emailCode', sk: 'email-code' }] },
  signUpLink: { isExported: false, places: [{ partition: 'signUpLink', sk: 'sign-up-link' }] },
  mailJob: { isExported: false, places: [{ partition: 'outbox', sk: 'mail-job#' }] },
  accessLink: { isExported: true, places: [{ partition: 'accessLink', sk: 'access-token' }] },
  client: { isExported: true, places: [{ partition: 'client', sk: 'oidc-client' }] },
  connection: { isExported: true, places: [{ partition: 'connection', sk: 'connection' }] },
  scimToken: { isExported: true, places: [{ partition: 'scim', sk: 'token#' }] },
  connectionFlow: { isExported: false, places: [{ partition: 'connection', sk: 'flow#' }] },
  grant: { isExported: false, places: [{ partition: 'oauthGrant', sk: 'grant' }] },
  authorizationCode: { isExported: false, places: [{ partition: 'oauthCode', sk: 'code' }] },
  refreshToken: { isExported: false, places: [{ partition: 'oauthRefreshToken', sk: 'refresh-token' }] },
  device: { isExported: false, places: [{ partition: 'oauthDevice', sk: 'device' }] },
  organization: { isExported: true, places: [{ partition: 'organization', sk: 'organization' }] },
  organizationToken: { isExported: true, places: [{ partition: 'organization', sk: 'api-token#' }] },
  organizationInvitation: {
    isExported: true,
    places: [{ partition: 'organizationInvitation', sk: 'invitation' }],
  },
} as const satisfies Readonly<Record<string, StoredRecord>>

export type HoldingRecord = keyof typeof holdingRecords

/** The record that an item with this key is. Undefined if nobody can hold anything by it. */
export const findHoldingRecord = ({ pk, sk }: Key): HoldingRecord | undefined => {
  const isIn = ({ partition, sk: start }: RecordPlace): boolean =>
    pk.startsWith(partitions[partition]) && (start.endsWith('#') ? sk.startsWith(start) : sk === start)
  return (Object.keys(holdingRecords) as HoldingRecord[]).find((record) =>
    holdingRecords[record].places.some(isIn),
  )
}

/** What can end a holding. */
interface Ends {
  /** Somebody reports its value: `report_leaked_credentials`. */
  readonly leak: 'ends' | 'no value'
  /** The table leaked: `table end-credentials`. An option of the command can decide. */
  readonly tableLeak: 'ends' | 'option' | 'stays'
  /** The table was restored, and the replaced one shows what happened since. */
  readonly restore: 'ends' | 'follows' | 'stays'
  /** The table was restored, and nothing shows what happened since. `listed` ones are left for people to check. */
  readonly restoreAlone: 'ends' | 'option' | 'listed' | 'stays'
  /**
   * Its user, or the one who made it, reports that a change was not theirs: `report_change`. `since` ends what was made since the change,
   * `undone` is a part of the user that gets its former state, and the other owners of the organization see what is `shown`.
   */
  readonly report: 'ends' | 'since' | 'undone' | 'shown' | 'stays'
  /** The user gets a new password. */
  readonly password: 'ends' | 'stays'
  /** The user, or the one who made it, leaves the organization. */
  readonly leaving: 'ends' | 'stays'
  /** The user, or the one who made it, is merged into another one, who gets what `moves`. */
  readonly merge: 'ends' | 'moves' | 'stays'
  /** The user, or the one who made it, is deleted. */
  readonly deletion: 'ends' | 'stays'
  /** The organization is deleted. */
  readonly organizationEnd: 'ends' | 'stays'
  /** A manager of users ends everything of the user, or of the one who made it: `end_user_holdings`. A field of the request can decide. */
  readonly everything: 'ends' | 'option' | 'stays'
}

export type Cause = keyof Ends

export interface Holding {
  readonly record: HoldingRecord
  /** The fields of the record with the maker and the time. Null for what its user alone can make, and for what has no time. */
  readonly madeBy: string | null
  readonly madeAt: string | null
  /** Whom it serves. */
  readonly serves: 'user' | 'organization' | 'client' | 'newcomer' | 'guest'
  /** The operation that lists it. Null if none does, because it works for a short time. */
  readonly shownBy: string | null
  readonly ends: Ends
}

/** What proves something for a short time. It ends with everything that ends sessions. */
const momentary = {
  madeBy: null,
  serves: 'user',
  shownBy: null,
  ends: {
    leak: 'ends',
    tableLeak: 'ends',
    restore: 'ends',
    restoreAlone: 'ends',
    report: 'ends',
    password: 'ends',
    leaving: 'stays',
    merge: 'ends',
    deletion: 'ends',
    organizationEnd: 'stays',
    everything: 'ends',
  },
} as const

/** For what belongs to no account, or proves nothing alone: it stays, whatever happens to a user. */
const kept = {
  report: 'stays',
  password: 'stays',
  merge: 'stays',
  deletion: 'stays',
  everything: 'stays',
} as const

/** The same for what has no prefix, so nobody can report its value. */
const unreported = { ...momentary, ends: { ...momentary.ends, leak: 'no value' } } as const

const credentials = {
  session: { ...momentary, record: 'session', madeAt: 'createdAt', shownBy: 'get_user_sessions' },
  auth_ticket: { ...momentary, record: 'ticket', madeAt: null },
  reset_token: { ...momentary, record: 'resetToken', madeAt: null },
  second_factor_token: { ...momentary, record: 'secondFactorToken', madeAt: null },
  email_confirmation: {
    ...momentary,
    record: 'user',
    madeAt: null,
    ends: { ...momentary.ends, report: 'undone' },
  },
  remembered_device: {
    ...momentary,
    record: 'rememberedDevice',
    madeAt: 'createdAt',
    shownBy: 'get_remembered_devices',
  },
  invitation: { ...momentary, record: 'user', madeAt: null, shownBy: 'get_user' },
  // A password that a thief set must not keep the owner from reporting it.
  security_report: {
    ...momentary,
    record: 'securityReport',
    madeAt: 'changedAt',
    ends: { ...momentary.ends, report: 'undone', password: 'ends' },
  },
  sign_up: {
    ...momentary,
    record: 'signUpLink',
    madeAt: null,
    serves: 'newcomer',
    // Nobody has an account yet.
    ends: { ...momentary.ends, ...kept },
  },
  api_token: {
    record: 'apiToken',
    madeBy: null,
    madeAt: 'createdAt',
    serves: 'user',
    shownBy: 'get_all_api_tokens',
    ends: {
      leak: 'ends',
      tableLeak: 'option',
      restore: 'follows',
      restoreAlone: 'ends',
      report: 'since',
      password: 'stays',
      leaving: 'stays',
      merge: 'moves',
      deletion: 'ends',
      organizationEnd: 'stays',
      everything: 'ends',
    },
  },
  organization_token: {
    record: 'organizationToken',
    madeBy: 'createdBy',
    madeAt: 'createdAt',
    serves: 'organization',
    shownBy: 'get_organization_api_tokens',
    ends: {
      leak: 'ends',
      tableLeak: 'option',
      restore: 'ends',
      restoreAlone: 'ends',
      report: 'since',
      password: 'stays',
      // It belongs to the organization.
      leaving: 'stays',
      merge: 'stays',
      deletion: 'stays',
      organizationEnd: 'ends',
      // Its owners replace it, as after a deletion: it may serve the whole organization.
      everything: 'stays',
    },
  },
  scim_token: {
    record: 'scimToken',
    madeBy: 'createdBy',
    madeAt: 'createdAt',
    serves: 'organization',
    shownBy: 'get_connection_scim',
    ends: {
      leak: 'ends',
      tableLeak: 'option',
      restore: 'ends',
      restoreAlone: 'ends',
      report: 'since',
      password: 'stays',
      // It belongs to the connection, which ends with its organization.
      leaving: 'stays',
      merge: 'stays',
      deletion: 'stays',
      organizationEnd: 'ends',
      // Without it, the directory could end nobody any more. Its managers replace it.
      everything: 'stays',
    },
  },
  organization_invitation: {
    record: 'organizationInvitation',
    madeBy: 'invitedBy',
    madeAt: 'createdAt',
    serves: 'newcomer',
    shownBy: 'get_organization_invitations',
    ends: {
      leak: 'ends',
      tableLeak: 'ends',
      restore: 'ends',
      restoreAlone: 'ends',
      report: 'since',
      password: 'stays',
      // Nobody answers for its roles any more.
      leaving: 'ends',
      merge: 'ends',
      deletion: 'ends',
      organizationEnd: 'ends',
      everything: 'ends',
    },
  },
  saml_setup: {
    record: 'connection',
    madeBy: 'setup.link.createdBy',
    madeAt: 'setup.link.createdAt',
    serves: 'organization',
    shownBy: 'get_saml_setup_links',
    ends: {
      leak: 'ends',
      tableLeak: 'ends',
      restore: 'ends',
      restoreAlone: 'ends',
      report: 'since',
      password: 'stays',
      leaving: 'stays',
      // That of a member ends with their right to manage the sign-in of the organization.
      merge: 'stays',
      deletion: 'stays',
      organizationEnd: 'stays',
      everything: 'ends',
    },
  },
  access_token: {
    record: 'accessLink',
    madeBy: 'createdBy',
    madeAt: 'createdAt',
    serves: 'guest',
    shownBy: 'get_all_access_tokens',
    ends: {
      leak: 'ends',
      tableLeak: 'option',
      restore: 'follows',
      restoreAlone: 'option',
      report: 'stays',
      password: 'stays',
      leaving: 'stays',
      merge: 'stays',
      deletion: 'ends',
      organizationEnd: 'stays',
      everything: 'ends',
    },
  },
  oidc_client_secret: {
    record: 'client',
    madeBy: 'createdBy',
    madeAt: 'secrets.createdAt',
    serves: 'client',
    shownBy: 'get_oidc_client',
    ends: {
      leak: 'ends',
      tableLeak: 'stays',
      restore: 'follows',
      restoreAlone: 'stays',
      report: 'stays',
      password: 'stays',
      leaving: 'stays',
      merge: 'stays',
      deletion: 'stays',
      organizationEnd: 'stays',
      everything: 'stays',
    },
  },
} as const satisfies Readonly<Record<CredentialKind, Holding>>

const others = {
  password: {
    ...unreported,
    record: 'user',
    madeAt: 'passwordChangedAt',
    shownBy: 'get_user',
    ends: {
      ...unreported.ends,
      tableLeak: 'option',
      restore: 'follows',
      restoreAlone: 'option',
      report: 'undone',
      everything: 'option',
    },
  },
  second_factor: {
    ...unreported,
    record: 'user',
    madeAt: 'totp.enabledAt',
    shownBy: 'get_user',
    ends: {
      ...unreported.ends,
      tableLeak: 'stays',
      restore: 'stays',
      restoreAlone: 'stays',
      report: 'undone',
      password: 'stays',
      everything: 'stays',
    },
  },
  recovery_code: {
    ...unreported,
    record: 'user',
    madeAt: 'totp.codesRenewedAt',
    ends: {
      ...unreported.ends,
      tableLeak: 'option',
      restore: 'follows',
      report: 'undone',
      password: 'stays',
      everything: 'stays',
    },
  },
  passkey: {
    ...unreported,
    record: 'passkey',
    madeAt: 'createdAt',
    shownBy: 'get_user_passkeys',
    ends: {
      ...unreported.ends,
      tableLeak: 'stays',
      restore: 'follows',
      restoreAlone: 'stays',
      report: 'since',
      password: 'stays',
      everything: 'option',
    },
  },
  linked_account: {
    ...unreported,
    record: 'linkedAccount',
    madeAt: 'linkedAt',
    shownBy: 'get_user_company_accounts',
    ends: {
      ...unreported.ends,
      tableLeak: 'stays',
      restore: 'follows',
      restoreAlone: 'stays',
      report: 'since',
      password: 'stays',
      merge: 'moves',
      everything: 'stays',
    },
  },
  /** Permissions, groups and the state of an account. */
  account: {
    ...unreported,
    record: 'user',
    madeAt: null,
    shownBy: 'get_user',
    ends: {
      ...unreported.ends,
      tableLeak: 'stays',
      restore: 'follows',
      restoreAlone: 'stays',
      report: 'stays',
      password: 'stays',
      everything: 'stays',
    },
  },
  membership: {
    record: 'membership',
    madeBy: 'rolesGivenBy',
    madeAt: 'joinedAt',
    serves: 'user',
    shownBy: 'get_organization_members',
    ends: {
      leak: 'no value',
      tableLeak: 'stays',
      restore: 'follows',
      restoreAlone: 'listed',
      report: 'shown',
      password: 'stays',
      leaving: 'ends',
      merge: 'moves',
      deletion: 'ends',
      organizationEnd: 'ends',
      everything: 'stays',
    },
  },
  /** Whether the members and keys of an organization can do anything. */
  organization_state: {
    record: 'organization',
    madeBy: 'createdBy',
    madeAt: 'createdAt',
    serves: 'organization',
    shownBy: 'get_organization',
    ends: {
      leak: 'no value',
      tableLeak: 'stays',
      restore: 'follows',
      restoreAlone: 'listed',
      report: 'stays',
      password: 'stays',
      leaving: 'stays',
      merge: 'stays',
      deletion: 'stays',
      organizationEnd: 'ends',
      everything: 'stays',
    },
  },
  passkey_challenge: {
    ...unreported,
    record: 'passkeyChallenge',
    madeAt: null,
    // It proves nothing without a passkey.
    ends: { ...unreported.ends, ...kept },
  },
  email_code: { ...unreported, record: 'emailCode', madeAt: null },
  /** It also ends with its invitation, and when that is sent again. */
  organization_join_code: {
    ...unreported,
    record: 'emailCode',
    madeAt: null,
    ends: { ...unreported.ends, organizationEnd: 'ends' },
  },
  /** The browser that waits for the session of a sign-in through a connection. */
  connection_sign_in: { ...unreported, record: 'connectionFlow', madeAt: 'startedAt' },
  /** An email with a link or a code that is not sent yet. */
  waiting_email: {
    ...unreported,
    record: 'mailJob',
    madeAt: null,
    ends: { ...unreported.ends, ...kept },
  },
  // These are worth nothing without the session that granted them.
  grant: { ...unreported, record: 'grant', madeAt: 'createdAt', shownBy: 'get_own_apps' },
  authorization_code: { ...unreported, record: 'authorizationCode', madeAt: null },
  refresh_token: { ...unreported, record: 'refreshToken', madeAt: null },
  device_authorization: { ...unreported, record: 'device', madeAt: null },
} as const satisfies Readonly<Record<string, Holding>>

export const holdings = { ...credentials, ...others }

export type HoldingKind = keyof typeof holdings

/** The holdings that a cause treats in one of these ways. */
export type HoldingsWith<C extends Cause, Effect extends Ends[C]> = {
  [Kind in HoldingKind]: (typeof holdings)[Kind]['ends'][C] extends Effect ? Kind : never
}[HoldingKind]

/** Partitions with no record of a holding: settings, lists, counts, marks of what was used, names, and logs. */
export const otherPartitions = [
  'actorEvents',
  'credentialEvents',
  'accountDeletions',
  'activeUsers',
  'activity',
  'apiTokenList',
  'audit',
  'auditArchive',
  'auditChain',
  'auditCheckpoints',
  'auditSurvey',
  'configuration',
  'counter',
  'dataKey',
  'delayedInvitations',
  'deletedUser',
  'easySharing',
  'email',
  'emailClaims',
  'group',
  'groupMemberList',
  'groupName',
  'guest',
  'guestEmail',
  'linkMail',
  'loginPair',
  'invitedAddress',
  'emailText',
  'emailTextHistory',
  'logo',
  'oauthAssertion',
  'clientCount',
  'clientDocument',
  'clientName',
  'oauthInteraction',
  'oauthPushedRequest',
  'oauthRevokedToken',
  'protectedApi',
  'protectedApiAudience',
  'protectedApiCount',
  'protectedApiName',
  'organizationConnections',
  'organizationAuditEvents',
  'organizationEndings',
  'organizationEvents',
  'organizationExternalId',
  'organizationInvitationList',
  'organizationMemberList',
  'organizationRights',
  'organizationSlug',
  'logoutJobs',
  'passkey',
  'privateSigningKeys',
  'rate',
  'rateLimitedList',
  'companyAccount',
  'companyAccountList',
  'connectionDomain',
  'samlEntity',
  'connectionSessions',
  'signInPage',
  'settings',
  'setup',
  'signUpRequests',
  'signingKeys',
  'suppressed',
  'suppressedList',
  'totals',
  'usedProof',
  'userAttribute',
  'userTemplate',
  'userTemplateName',
  'username',
] as const satisfies readonly PartitionName[]

/** A partition that is in no record and in no list. The build fails if there is one. */
type Forgotten = Exclude<
  PartitionName,
  (typeof otherPartitions)[number] | (typeof holdingRecords)[HoldingRecord]['places'][number]['partition']
>
type RequireNone<Rest extends never> = Rest
export type NoPartitionIsForgotten = RequireNone<Forgotten>
