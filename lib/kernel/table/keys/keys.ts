import { sortableId } from '../../util/sortable-id.ts'
import type { AuditShard } from './audit-shards.ts'
import { partitions } from './partitions.ts'

/**
 * The keys of the table. Those of audit events are in `audit-keys.ts`, those of jobs in `job-keys.ts`, and those of OpenID
 * Connect in `oauth-keys.ts`. A user's sessions are in the user's partition, so that one strongly consistent query finds
 * them all. Each unique value has a marker item.
 */
export interface Key {
  readonly pk: string
  readonly sk: string
}

export const userKey = (id: number): Key => ({ pk: `${partitions.user}${id}`, sk: 'user' })
export const dataKeyKey = (purpose: string, name: string): Key => ({
  pk: `${partitions.dataKey}${purpose}#${name}`,
  sk: 'data-key',
})
export const deletedUserKey = (id: number): Key => ({
  pk: `${partitions.deletedUser}${id}`,
  sk: 'deleted-user',
})
export const sessionPrefix = 'session#'
export const sessionKey = (userId: number, hash: string): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: `${sessionPrefix}${hash}`,
})
export const usernameKey = (normalizedUsername: string): Key => ({
  pk: `${partitions.username}${normalizedUsername}`,
  sk: 'username',
})
/** The one user whose name looks like this. */
export const usernameSkeletonKey = (normalizedSkeleton: string): Key => ({
  pk: `${partitions.username}${normalizedSkeleton}`,
  sk: 'username-skeleton',
})
/** The one user with this ID in another system. A source has no spaces. */
export const externalIdKey = ({ source, id }: { readonly source: string; readonly id: string }): Key => ({
  pk: `${partitions.username}${source} ${id}`,
  sk: 'external-id',
})
export const emailKey = (normalizedEmail: string): Key => ({
  pk: `${partitions.email}${normalizedEmail}`,
  sk: 'email',
})
/** The names of guests are apart from those of accounts, so that a guest never occupies one. */
export const guestNameKey = (id: number): Key => ({ pk: `${partitions.guest}${id}`, sk: 'guest' })
export const guestEmailKey = (normalizedEmail: string): Key => ({
  pk: `${partitions.guestEmail}${normalizedEmail}`,
  sk: 'guest-email',
})
export const accountDeletionPrefix = 'account-deletion#'
/** A user who is deleted at this time, in epoch milliseconds. One query reads those whose time has come. */
export const accountDeletionKey = (dueAt: number, userId: number): Key => ({
  pk: partitions.accountDeletions,
  sk: `${accountDeletionPrefix}${sortableNumber(dueAt)}#${sortableId(userId)}`,
})
/** The users who were last seen on a day since 1970, of one of several shards. */
export const activeUsersKey = (shard: number, dayNumber: number): Key => ({
  pk: `${partitions.activeUsers}${shard}`,
  sk: `${activeUsersPrefix}${sortableNumber(dayNumber)}`,
})
export const activeUsersPrefix = 'day#'
/** The users whom sign-ins counted on a day since 1970, as a chain of audit events has them. */
export const signedInUsersKey = (shard: AuditShard, dayNumber: number): Key => ({
  pk: signedInUsersPartition,
  sk: `${activeUsersPrefix}${sortableNumber(dayNumber)}#${shard}`,
})
export const signedInUsersPartition = `${partitions.activeUsers}sign-ins`
export const attributeHolderPrefix = 'user#'
/** A user with this value of an attribute. One query reads a page of all who have it, in order of ID. */
export const attributeHolderKey = (attribute: string, normalizedValue: string, userId: number): Key => ({
  pk: `${partitions.userAttribute}${attribute}#${normalizedValue}`,
  sk: `${attributeHolderPrefix}${sortableId(userId)}`,
})
/** The users who claim an email address without a proof. Any number of users may claim the same one. */
export const emailClaimsPartition = (normalizedEmail: string): string =>
  `${partitions.emailClaims}${normalizedEmail}`
export const emailClaimKey = (normalizedEmail: string, userId: number): Key => ({
  pk: emailClaimsPartition(normalizedEmail),
  sk: `user#${sortableId(userId)}`,
})
export const formerGuestPrefix = 'guest#'
/** A guest whose links belong to a user now. */
export const formerGuestKey = (userId: number, guestId: number): Key => ({
  pk: userKey(userId).pk,
  sk: `${formerGuestPrefix}${sortableId(guestId)}`,
})
export const groupKey = (id: number): Key => ({ pk: `${partitions.group}${id}`, sk: 'group' })
/** A group's members are in the group's partition in order of ID, so that one query reads a page of them. */
export const memberKey = (groupId: number, userId: number): Key => ({
  pk: `${partitions.group}${groupId}`,
  sk: `${memberPrefix}${sortableId(userId)}`,
})
export const memberPrefix = 'member#'
/** The IDs of the first members: see `groups.records.ts`. */
export const memberListKey = (groupId: number): Key => ({
  pk: `${partitions.group}${groupId}`,
  sk: 'member-list',
})
export const userTemplateKey = (id: number): Key => ({
  pk: `${partitions.userTemplate}${id}`,
  sk: 'user-template',
})
export const managedKeyPrefix = 'key#'
/** What a key of a kind of things stands for. All of them are in one partition, which one query reads. */
export const managedKeyKey = (kind: string, key: string): Key => ({
  pk: partitions.configuration,
  sk: `${managedKeyPrefix}${kind}#${key}`,
})
/** Which resource of a stack let go of what a key stood for, and can take it again. */
export const releasedKey = (kind: string, key: string): Key => ({
  pk: partitions.configuration,
  sk: `released#${kind}#${key}`,
})
/** That CloudFormation gave up creating a resource, which may still run. */
export const claimStopKey = (claim: string): Key => ({ pk: partitions.configuration, sk: `stop#${claim}` })
/** Whose secret one of Secrets Manager is, by the hash of its ARN. */
export const stackSecretKey = (hash: string): Key => ({
  pk: partitions.configuration,
  sk: `secret#${hash}`,
})
export const seedKeyPrefix = 'seed#'
/** What the seed of a service on a developer's machine made. */
export const seedKey = (kind: string, key: string): Key => ({
  pk: partitions.configuration,
  sk: `${seedKeyPrefix}${kind}#${key}`,
})
/** Which key stands for a thing. */
export const managedIdKey = (kind: string, id: number): Key => ({
  pk: partitions.configuration,
  sk: `id#${kind}#${sortableId(id)}`,
})
const namePartitions = {
  group: partitions.groupName,
  'oidc-client': partitions.clientName,
  'protected-api': partitions.protectedApiName,
  'user-template': partitions.userTemplateName,
} as const
/** The name of a group, an OpenID Connect client, a protected API or a user template. */
export const nameKey = (kind: NamedKind, normalizedName: string): Key => ({
  pk: `${namePartitions[kind]}${normalizedName}`,
  sk: 'name',
})
export const counterKey = (kind: CountedKind): Key => ({ pk: `${partitions.counter}${kind}`, sk: 'counter' })
/** What is counted of all records of a kind: see `table/totals.ts`. Users include guests. */
export type TotalKind = 'user' | 'guest' | 'group'
export const totalsKey = (shard: number): Key => ({ pk: `${partitions.totals}${shard}`, sk: 'totals' })
/** The public part of a signing key. All of them are in one partition, in order of their numbers. */
export const signingKeyKey = (number: number): Key => ({
  pk: partitions.signingKeys,
  sk: `${signingKeyPrefix}${sortableNumber(number)}`,
})
export const signingKeyPrefix = 'signing-key#'
export const privateSigningKeyKey = (number: number): Key => ({
  pk: partitions.privateSigningKeys,
  sk: `${privateSigningKeyPrefix}${sortableNumber(number)}`,
})
export const privateSigningKeyPrefix = 'private-signing-key#'
/** A requested link email, by the hash of its contents and recipient. */
export const linkMailKey = (hash: string): Key => ({ pk: `${partitions.linkMail}${hash}`, sk: 'link-mail' })
/** An address that receives no email. */
export const suppressionKey = (normalizedEmail: string): Key => ({
  pk: `${partitions.suppressed}${normalizedEmail}`,
  sk: 'suppressed',
})
export const resetTokenKey = (userId: number, hash: string): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: `reset#${hash}`,
})
/** The link of a security email. */
export const securityReportKey = (userId: number, hash: string): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: `security-report#${hash}`,
})
export const madePrefix = 'made#'
/** A note of what a user made that belongs to someone else, in the order of time. */
export const madeKey = (userId: number, madeAt: number, id: string): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: `${madePrefix}${sortableNumber(madeAt)}#${id}`,
})
/** A ticket. Its hash is random, so the tickets of one user are spread over the table. */
export const ticketKey = (hash: string): Key => ({ pk: `${partitions.ticket}${hash}`, sk: 'ticket' })
/** A link with which someone signs up. */
export const signUpLinkKey = (hash: string): Key => ({
  pk: `${partitions.signUpLink}${hash}`,
  sk: 'sign-up-link',
})
export const signUpRequestPrefix = 'sign-up-request#'
export const signUpRequestKey = (id: string): Key => ({
  pk: partitions.signUpRequests,
  sk: `${signUpRequestPrefix}${id}`,
})
/** A challenge of a proof of work that was used, by the hash of its nonce. */
export const usedProofKey = (hash: string): Key => ({
  pk: `${partitions.usedProof}${hash}`,
  sk: 'used-proof',
})
/** A request for an emailed code. */
export const emailCodeKey = (hash: string): Key => ({
  pk: `${partitions.emailCode}${hash}`,
  sk: 'email-code',
})
export const apiTokenPrefix = 'api-token#'
export const apiTokenKey = (userId: number, hash: string): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: `${apiTokenPrefix}${hash}`,
})
/** The owner of a custom value. */
export const apiTokenMarkerKey = (hash: string): Key => ({
  pk: `${partitions.apiToken}${hash}`,
  sk: 'api-token',
})
export const apiTokenCountKey = (userId: number): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: 'api-tokens',
})
export const passkeyPrefix = 'passkey#'
/** A passkey, by the hash of its credential ID. */
export const passkeyKey = (userId: number, hash: string): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: `${passkeyPrefix}${hash}`,
})
/** The owner of a passkey. It keeps credential IDs unique among all users. */
export const passkeyMarkerKey = (hash: string): Key => ({ pk: `${partitions.passkey}${hash}`, sk: 'passkey' })
/** A challenge for a passkey, by its hash. */
export const passkeyChallengeKey = (hash: string): Key => ({
  pk: `${partitions.passkeyChallenge}${hash}`,
  sk: 'passkey-challenge',
})
/** The proof that the password was right, while the second factor is still missing. */
export const secondFactorTokenKey = (userId: number, hash: string): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: `second-factor#${hash}`,
})
export const rememberedDevicePrefix = 'remembered-device#'
/** A browser that proved the second factor of a user. Each user has a fixed number of slots. */
export const rememberedDeviceKey = (userId: number, slot: number): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: `${rememberedDevicePrefix}${slot}`,
})
export const eventValuesPrefix = 'values#'
/** The values of a user that an audit event names by their hash. The name is last in the partition, because they expire by themselves. */
export const eventValuesKey = (userId: number, hash: string): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: `${eventValuesPrefix}${hash}`,
})
/** An access token. Its list entries and activities are in the same partition. */
export const accessLinkKey = (id: number): Key => ({
  pk: `${partitions.accessLink}${id}`,
  sk: 'access-token',
})
export const accessLinkIndexKey = (id: number, list: string): Key => ({
  pk: `${partitions.accessLink}${id}`,
  sk: `place#${list}`,
})
export const accessLinkActivityKey = (id: number, indexKey: string): Key => ({
  pk: `${partitions.accessLink}${id}`,
  sk: `activity#${indexKey}`,
})
/** The one token that a creator shares an object with on the same terms. */
export const easySharingKey = ({
  createdBy,
  kind,
  id,
  terms,
}: {
  readonly createdBy: number
  readonly kind: 'bundle' | 'directory'
  readonly id: number
  readonly terms: string
}): Key => ({ pk: `${partitions.easySharing}by#${createdBy}#${kind}#${id}#${terms}`, sk: 'easy-sharing' })
/** A connection to an identity provider, of any kind. */
export const connectionKey = (id: number): Key => ({ pk: `${partitions.connection}${id}`, sk: 'connection' })
/** The entry of a connection in the list by name. */
export const connectionNameKey = (id: number): Key => ({ pk: connectionKey(id).pk, sk: 'connection-name' })
/** The beginning of all partitions with sessions of a connection: see `connection-keys.ts`. */
export const connectionSessionsPartition = (providerId: number): string =>
  `${partitions.connectionSessions}${providerId}`
/** Exists from the deletion of a connection until all of its sessions have ended. */
export const connectionDeletionKey = (id: number): Key => ({
  pk: connectionSessionsPartition(id),
  sk: 'deletion',
})
/** The provider with an entity ID. */
export const samlEntityKey = (entityId: string): Key => ({
  pk: `${partitions.samlEntity}${entityId}`,
  sk: 'saml-entity',
})
/** The provider that has an email domain. */
export const connectionDomainKey = (domain: string): Key => ({
  pk: `${partitions.connectionDomain}${domain}`,
  sk: 'connection-domain',
})
/**
 * The connection of a public provider, by what names the provider. It outlives the connection, so that another one gets its ID, and with
 * it the accounts of people. No domain has a colon.
 */
export const publicConnectionKey = (name: string): Key => connectionDomainKey(`public:${name}`)
/** The entry of a provider for the sign-in page. The entries follow each other in the order of the IDs. */
export const signInPageEntryKey = (id: number): Key => ({
  pk: partitions.signInPage,
  sk: `provider#${sortableId(id)}`,
})
/** Exists once a domain led to a provider. It sorts before the entries, so that one query reads both. */
export const signInPageDomainsKey: Key = { pk: partitions.signInPage, sk: 'domains' }
/** The user with a name at an identity provider. */
export const companyAccountKey = (providerId: number, hash: string): Key => ({
  pk: `${partitions.companyAccount}${providerId}#${hash}`,
  sk: 'company-account',
})
/** The account of a user at an identity provider, with the groups that they are in because of it. */
export const companyMembershipsKey = (userId: number, providerId: number, hash: string): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: `${companyMembershipsPrefix}${providerId}#${hash}`,
})
export const linkedByAddressPrefix = 'linked-by-address#'
/** Exists once an address connected a user to an account at a provider. */
export const linkedByAddressKey = (userId: number, providerId: number): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: `${linkedByAddressPrefix}${providerId}`,
})
export const companyMembershipsPrefix = 'company-account#'
export const settingsKey = (name: string): Key => ({ pk: `${partitions.settings}${name}`, sk: 'settings' })
// Marked as pure, so that bundles leave out the keys that they do not use.
export const passwordPolicyKey = /* @__PURE__ */ settingsKey('password-policy')
export const signInPolicyKey = /* @__PURE__ */ settingsKey('sign-in-policy')
/** How far the review of all sessions is: see `session-review.records.ts`. */
export const sessionReviewKey = /* @__PURE__ */ settingsKey('session-review')
export const signUpPolicyKey = /* @__PURE__ */ settingsKey('sign-up-policy')
export const userAttributesKey = /* @__PURE__ */ settingsKey('user-attributes')
export const connectionRefreshKey = /* @__PURE__ */ settingsKey('connection-refresh')
export const vaultCanaryKey = /* @__PURE__ */ settingsKey('vault-canary')
export const brandingKey = /* @__PURE__ */ settingsKey('branding')
/** Own words of emails, in one partition for the service, each product and each organization. */
export const emailTextPartition = (owner: string): string => `${partitions.emailText}${owner}`
export const emailTextKey = (owner: string, name: string): Key => ({
  pk: emailTextPartition(owner),
  sk: name,
})
export const emailTextHistoryPartition = (owner: string): string => `${partitions.emailTextHistory}${owner}`
export const emailTextHistoryKey = (owner: string, name: string): Key => ({
  pk: emailTextHistoryPartition(owner),
  sk: name,
})
/** The image of a logo, by its SHA-256. */
export const logoKey = (hash: string): Key => ({ pk: `${partitions.logo}${hash}`, sk: 'logo' })
/** Is created with the first administrator, so that this happens once, even if they are deleted later. */
export const firstAdminKey: Key = { pk: `${partitions.setup}first-admin`, sk: 'setup' }

/** The IDs of the permanent administrators: see `admins.records.ts`. */
export const adminsKey: Key = { pk: `${partitions.setup}admins`, sk: 'admins' }

export type NamedKind = 'group' | 'oidc-client' | 'protected-api' | 'user-template'
export type CountedKind =
  | 'user'
  | 'organization'
  | 'organization-invitation'
  | 'access-token'
  | 'link-permission'
  | 'api-token'
  | 'connection'
  | NamedKind

/** The ID at the end of a sort key. */
export const idAtEnd = (sortKey: string): number => Number(sortKey.slice(-10))

/** A number from 0 that can exceed the range of IDs, in a form that sorts like the number. */
export const sortableNumber = (number: number): string => String(number).padStart(12, '0')
