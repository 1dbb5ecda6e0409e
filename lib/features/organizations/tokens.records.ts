import { type TokenUse, toUseChanges } from '../../accounts/callers/credential-use.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { ConflictError } from '../../kernel/errors/errors.ts'
import { organizationApiTokensMax } from '../../kernel/limits/limits.ts'
import { decreaseCount, increaseCount, isAbsent, isPresent } from '../../kernel/table/expressions.ts'
import { counterKey, userKey } from '../../kernel/table/keys/keys.ts'
import {
  organizationKey,
  organizationTokenCountKey,
  organizationTokenKey,
  organizationTokenPrefix,
} from '../../kernel/table/keys/organization-keys.ts'
import { createCodec, decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { buildUnchangedMembershipStep, type Membership } from './memberships.records.ts'
import { decodeOrganization, type OrganizationRecord } from './records.ts'
import { chooseRightsKey, decodeRights, type RoleRights } from './roles.records.ts'

/**
 * An API token of an organization, in its partition. It belongs to no user, so it works after the member who created it has left.
 * Only a hash of its value is stored.
 */
export interface OrganizationTokenRecord extends TokenUse {
  readonly hash: string
  readonly id: number
  readonly organizationId: number
  readonly name: string
  readonly permissions: readonly string[]
  readonly createdBy: number
  /** The joining of a member who created it. The token outlives it, and its list says so. */
  readonly joining?: string
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number
  /** From then on the token does not authenticate. Missing means never. */
  readonly expiresAt?: number
}

const codec = createCodec<OrganizationTokenRecord>('API token of an organization', {
  hash: 'string',
  id: 'number',
  organizationId: 'number',
  name: 'string',
  permissions: 'list',
  createdBy: 'number',
  createdAt: 'number',
})

export const decodeOrganizationToken = codec.decodeOptional

/** Who creates a token. The session and the membership must still be those that were checked. */
export interface TokenMaker {
  readonly user: UserRecord
  /** Undefined for a holder of a permission of the service. */
  readonly membership: Membership | undefined
}

/**
 * Creates a token.
 *
 * @throws EditConflict if the organization, the session or the membership ended, or the roles of the member changed
 * @throws ConflictError `too_many_organization_tokens`
 */
export const createOrganizationToken = async (
  table: Table,
  token: Omit<OrganizationTokenRecord, 'id' | 'lastUsedAt'>,
  { user, membership }: TokenMaker,
  buildSteps: (id: number) => readonly Step[],
): Promise<OrganizationTokenRecord> => {
  const { first: id } = await table.nextIds(counterKey('api-token'))
  const record: OrganizationTokenRecord = { ...token, id, lastUsedAt: null }
  const orElse = () => new EditConflict()
  await table.transact([
    { check: organizationKey(token.organizationId), condition: isPresent, orElse },
    {
      check: userKey(user.id),
      condition: (x) => `${x.path('credentialEpoch')} = ${x.value(user.credentialEpoch)}`,
      orElse,
    },
    ...(membership ? [buildUnchangedMembershipStep(membership)] : []),
    {
      update: organizationTokenCountKey(token.organizationId),
      changes: increaseCount(organizationApiTokensMax),
      orElse: () =>
        new ConflictError(
          'too_many_organization_tokens',
          `the organization has ${organizationApiTokensMax} API tokens`,
        ),
    },
    {
      put: { ...codec.encode(record), ...organizationTokenKey(token.organizationId, token.hash) },
      condition: isAbsent,
    },
    ...buildSteps(id),
  ])
  return record
}

/** All tokens of an organization to show them. Their number is limited, so one call reads them. */
export const listOrganizationTokens = async (
  table: Table,
  organizationId: number,
): Promise<readonly OrganizationTokenRecord[]> =>
  decodeListed(table, codec, await table.list(organizationKey(organizationId).pk, organizationTokenPrefix))

/** Reads a token with its organization and the declared roles, in one table call. */
export const findTokenAndOrganization = async (
  table: Table,
  organizationId: number,
  hash: string,
): Promise<{
  readonly token: OrganizationTokenRecord | undefined
  readonly organization: OrganizationRecord | undefined
  readonly declaredRoles: readonly RoleRights[]
}> => {
  const [token, organization, rights] = await table.getMany([
    organizationTokenKey(organizationId, hash),
    organizationKey(organizationId),
    chooseRightsKey(),
  ])
  return {
    token: codec.decodeOptional(token),
    organization: decodeOrganization(organization),
    declaredRoles: decodeRights(rights),
  }
}

/** Deletes a token. Returns false if it was deleted already. */
export const deleteOrganizationToken = (
  table: Table,
  { organizationId, hash }: OrganizationTokenRecord,
  extraSteps: readonly Step[],
): Promise<boolean> =>
  wasCommitted(
    table.transact([
      { delete: organizationTokenKey(organizationId, hash), condition: isPresent },
      { update: organizationTokenCountKey(organizationId), changes: decreaseCount },
      ...extraSteps,
    ]),
  )

/** Stores a use of a token. @throws ConditionFailed if it was deleted. */
export const storeOrganizationTokenUse = async (
  table: Table,
  { organizationId, hash }: OrganizationTokenRecord,
  use: TokenUse,
): Promise<void> => {
  await table.update(organizationTokenKey(organizationId, hash), toUseChanges(use))
}
