import { createHash } from 'node:crypto'
import { buildRevocationStep } from '../../accounts/sessions/logout-jobs.records.ts'
import { findWithUser } from '../../accounts/users/find-with-user.records.ts'
import { isCredentialRevoked } from '../../accounts/users/revoked-credentials.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { isAbsent, isPresent, type Update } from '../../kernel/table/expressions.ts'
import {
  companyAccountKey,
  companyMembershipsKey,
  companyMembershipsPrefix,
  linkedByAddressKey,
} from '../../kernel/table/keys/keys.ts'
import { companyAccountListing, companyAccountListPartition } from '../../kernel/table/keys/listing-keys.ts'
import { partitions } from '../../kernel/table/keys/partitions.ts'
import { type EntryReader, type ListEntry, readEntries } from '../../kernel/table/listing.ts'
import { createCodec, findRecord, userMarkerCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import {
  EditConflict,
  type Item,
  type OrElse,
  type Step,
  wasCommitted,
} from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { sortableId } from '../../kernel/util/sortable-id.ts'
import { hour } from '../../kernel/util/time.ts'

/*
 * Links users to their accounts at identity providers. An account is found only by the provider and the name there. A
 * username from a provider never leads to an existing account. An address does it once, if its domain is proven. Another item at the user lists the
 * groups that came from the provider, so that only those are ever removed again.
 */

/** A user's name at a provider: a name ID, or the value of an attribute if each name ID is used only once. */
export type AccountName = { readonly providerId: number } & (NameId | AttributeValue)

interface NameId {
  readonly nameId: string
  /** The name qualifiers, unless they are the provider's and this service's own. */
  readonly qualifiers: readonly string[]
}

interface AttributeValue {
  readonly attribute: string
  readonly value: string
}

export interface CompanyAccountRecord {
  readonly providerId: number
  readonly hash: string
  readonly user: UserRecord
  /** The groups that the user is in because of the provider. */
  readonly groups: readonly number[]
  /** The other groups that the user is in because the directory of the provider says so. */
  readonly directoryGroups?: readonly number[]
  /** The keys of the user attributes whose values the directory of the provider gave. */
  readonly directoryAttributes?: readonly string[]
  /** When the user linked it, in epoch milliseconds. Missing if the account created the user. */
  readonly linkedAt?: number
  /** Whether an address alone linked it for an organization, and its person has not shown since that they also have another way in. */
  readonly isLinkedByAddress?: true
  /** What people recognize the account by. */
  readonly shownName: string
  /** When it last signed its user in, in epoch milliseconds. Missing until then. */
  readonly lastUsedAt?: number
  /** When the provider said that it deleted the account, in epoch milliseconds. It signs nobody in any more. */
  readonly endedAtProvider?: number
  /** Revokes what the person agreed to at Apple, once the account is removed here. Encrypted: see `oidc/refresh-tokens.ts`. */
  readonly refreshToken?: { readonly cipher: string }
}

/**
 * The hash of a name, because a name can be of any length. Name IDs are hashed as a list, attributes as an object. So no
 * name ID equals an attribute value, and no value equals one of another attribute.
 */
export const hashAccountName = (name: AccountName): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        'attribute' in name
          ? { attribute: name.attribute, value: name.value }
          : [name.nameId, ...name.qualifiers],
      ),
    )
    .digest('base64url')

/** What is stored for a name. */
export interface CompanyAccountState {
  readonly account: CompanyAccountRecord | undefined
  /** The ID of a deleted user who had the name. */
  readonly deletedUserId: number | undefined
}

/** Finds the ID of the user who has a name, who may be deleted. */
export const findNameOwner = (table: Table, name: AccountName): Promise<number | undefined> =>
  findOwnerOfHash(table, name.providerId, hashAccountName(name))

/** The same by the hash of a name. */
export const findOwnerOfHash = async (
  table: Table,
  providerId: number,
  hash: string,
): Promise<number | undefined> =>
  (await findRecord(table, userMarkerCodec, companyAccountKey(providerId, hash)))?.userId

/** Finds the account with a name, in two calls. The first one is left out if `owner` began it before. */
export const findCompanyAccount = async (
  table: Table,
  name: AccountName,
  owner: Promise<number | undefined> = findNameOwner(table, name),
): Promise<CompanyAccountState> => {
  const { providerId } = name
  const hash = hashAccountName(name)
  const userId = await owner
  if (userId === undefined) return { account: undefined, deletedUserId: undefined }
  const membershipsKey = companyMembershipsKey(userId, providerId, hash)
  const [memberships, user] = await findWithUser(table, companyAccountCodec, membershipsKey, userId)
  if (!user) return { account: undefined, deletedUserId: userId }
  // Without memberships, the account was removed since the first call.
  return { account: memberships && { providerId, hash, user, ...memberships }, deletedUserId: undefined }
}

/** The keys of the account, and its entry in the list of the users of the provider. */
const placeMemberships = (userId: number, providerId: number, hash: string) => ({
  ...companyMembershipsKey(userId, providerId, hash),
  ...companyAccountListing(providerId, userId, hash),
})

/** Reads the users who have an account at a provider, in order of ID. A user with several accounts there is one entry. */
export const createLinkedReader =
  (table: Table, providerId: number): EntryReader =>
  async ({ after, limit, isDescending }) => {
    const entries: ListEntry[] = []
    let last = after
    for (;;) {
      const missing = limit - entries.length
      const read = await readEntries(
        table,
        {
          pk: companyAccountListPartition(providerId),
          index: 'listing',
          ...getBoundBeyond(last, isDescending),
        },
        { limit: missing, isDescending },
      )
      for (const entry of read) {
        const indexKey = entry.indexKey.slice(0, sortableId(0).length)
        if (indexKey !== last) entries.push({ ...entry, indexKey })
        last = indexKey
      }
      if (read.length < missing || entries.length === limit) return entries
    }
  }

/** Leaves out all accounts of the user whom a page ended with. */
const getBoundBeyond = (last: string | undefined, isDescending: boolean) => {
  if (last === undefined) return {}
  return isDescending ? { to: last } : { from: `${last}~` }
}

type CompanyMemberships = Omit<CompanyAccountRecord, 'providerId' | 'hash' | 'user'>

export const companyAccountCodec = createCodec<CompanyMemberships>('company account', { groups: 'list' })

export interface NewCompanyAccount extends Omit<CompanyMemberships, 'refreshToken'> {
  readonly refreshToken?: CompanyMemberships['refreshToken'] | undefined
  readonly userId: number
  /** The ID of a deleted user who had the name before. */
  readonly deletedUserId: number | undefined
  readonly orElse?: OrElse
}

/** Builds the steps that give a name to a user. They fail if another user has it. */
export const buildCompanyAccountSteps = (
  name: AccountName,
  { userId, deletedUserId, orElse, refreshToken, ...memberships }: NewCompanyAccount,
): readonly Step[] => {
  const hash = hashAccountName(name)
  return [
    {
      put: { ...companyAccountKey(name.providerId, hash), userId },
      condition: (x) =>
        deletedUserId === undefined
          ? isAbsent(x)
          : `${isAbsent(x)} OR ${x.path('userId')} = ${x.value(deletedUserId)}`,
      orElse,
    },
    {
      put: {
        ...memberships,
        ...omitUndefined({ refreshToken }),
        ...placeMemberships(userId, name.providerId, hash),
      },
    },
  ]
}

/**
 * Builds the step that notes that an address connected a user to an account at a provider, which happens once. So an
 * account that was removed from its user does not come back.
 */
export const buildLinkedByAddressStep = (userId: number, providerId: number, orElse: OrElse): Step => ({
  put: { ...linkedByAddressKey(userId, providerId) },
  condition: isAbsent,
  orElse,
})

/** Builds the step after which an address does not connect a user to an account at a provider. */
export const buildNoLinkByAddressStep = (userId: number, providerId: number): Step => ({
  put: { ...linkedByAddressKey(userId, providerId) },
})

/** Builds the step that fails if a name does not lead to a user any more. */
export const buildSameOwnerStep = (providerId: number, hash: string, userId: number): Step => ({
  check: companyAccountKey(providerId, hash),
  condition: (x) => `${x.path('userId')} = ${x.value(userId)}`,
  orElse: () => new EditConflict(),
})

/** Builds the step that stores the groups from a provider. Belongs to the transaction that changes the groups. */
export const buildProviderGroupsStep = (
  { providerId, hash, user, ...stored }: CompanyAccountRecord,
  groups: readonly number[],
): Step => ({
  put: { ...placeMemberships(user.id, providerId, hash), ...omitUndefined(stored), groups },
})

/** A sign-in within this time after another one is not stored, because each of them would be a write. */
const usePrecisionMs = hour

interface AccountUse {
  readonly shownName: string
  /** Epoch milliseconds. */
  readonly usedAt: number
  /** The one of this sign-in. It replaces the one before with the next write. */
  readonly refreshToken: CompanyAccountRecord['refreshToken']
  /** Whether the person showed another way in at this sign-in. */
  readonly showsOtherWay: boolean
}

/**
 * Builds the step that stores when an account signed its user in, for the transaction that opens the session. An account
 * that was removed in the meantime stays removed: the session has ended with it, and the step fails with `orElse`.
 */
export const buildAccountUseStep = (
  account: CompanyAccountRecord,
  { shownName, usedAt, refreshToken, showsOtherWay }: AccountUse,
  orElse: OrElse,
): readonly Step[] => {
  const { providerId, hash, user, lastUsedAt = 0 } = account
  const isKept = refreshToken === undefined || account.refreshToken !== undefined
  const isShown = account.isLinkedByAddress === true && showsOtherWay
  if (account.shownName === shownName && usedAt - lastUsedAt < usePrecisionMs && isKept && !isShown) return []
  const changes: Update = (x) => ({
    set: [
      `${x.path('shownName')} = ${x.value(shownName)}`,
      `${x.path('lastUsedAt')} = ${x.value(usedAt)}`,
      ...(refreshToken ? [`${x.path('refreshToken')} = ${x.value(refreshToken)}`] : []),
    ],
    ...(isShown && { remove: [x.path('isLinkedByAddress')] }),
    condition: isPresent(x),
  })
  return [{ update: companyMembershipsKey(user.id, providerId, hash), changes, orElse }]
}

/** Builds the steps that give an account to another user. They fail if the account was removed or moved. */
export const buildMoveCompanyAccountSteps = (
  item: Item,
  from: UserRecord,
  userId: number,
): readonly Step[] => {
  const [, providerId = '', hash = ''] = item.sk.split('#')
  return [
    { delete: { pk: item.pk, sk: item.sk }, condition: isPresent },
    // An account that created the first user did not create the second one.
    {
      put: {
        linkedAt: from.createdAt,
        ...item,
        ...placeMemberships(userId, Number(providerId), hash),
      },
    },
    { put: { ...companyAccountKey(Number(providerId), hash), userId } },
  ]
}

/** All accounts of a user at identity providers. */
export const findCompanyAccounts = async (
  table: Table,
  user: UserRecord,
): Promise<readonly CompanyAccountRecord[]> => {
  const items = await table.list(companyMembershipsKey(user.id, 0, '').pk, companyMembershipsPrefix)
  return items.map((item) => readCompanyAccount(item, user))
}

/** Reads the item of an account from those of its user. */
export const readCompanyAccount = (item: Item, user: UserRecord): CompanyAccountRecord => {
  const [, providerId = '', hash = ''] = item.sk.split('#')
  return { ...companyAccountCodec.decode(item), providerId: Number(providerId), hash, user }
}

/** Whether an account was added in the period that its user disowned. One without a time created the user. */
export const isCompanyAccountRevoked = ({
  user,
  linkedAt,
}: Pick<CompanyAccountRecord, 'user' | 'linkedAt'>): boolean =>
  isCredentialRevoked(user, linkedAt ?? user.createdAt)

/** Builds the step that revokes the token of an account at its provider, by the item of the account. */
export const buildTokenRevocationSteps = ({ pk, sk, refreshToken }: Item): readonly Step[] => {
  const [, providerId = '', account = ''] = sk.split('#')
  return isSealed(refreshToken)
    ? [
        buildRevocationStep(Number(pk.slice(partitions.user.length)), {
          providerId: Number(providerId),
          account,
          cipher: refreshToken.cipher,
        }),
      ]
    : []
}

/** Builds the step that forgets the token of an account, which is worth nothing any more. A newer one stays. */
export const buildForgetTokenSteps = ({
  providerId,
  hash,
  user,
  refreshToken,
}: CompanyAccountRecord): readonly Step[] =>
  refreshToken
    ? [
        {
          update: companyMembershipsKey(user.id, providerId, hash),
          changes: (x) => ({
            remove: [x.path('refreshToken')],
            condition: `${x.path('refreshToken')} = ${x.value(refreshToken)}`,
          }),
          orElse: () => new EditConflict(),
        },
      ]
    : []

/** Notes that the provider deleted the account. Does nothing if the account was removed here. */
export const noteEndAtProvider = async (
  table: Table,
  { providerId, hash, user }: CompanyAccountRecord,
  endedAtProvider: number,
): Promise<void> => {
  await wasCommitted(
    table.update(companyMembershipsKey(user.id, providerId, hash), (x) => ({
      set: [`${x.path('endedAtProvider')} = ${x.value(endedAtProvider)}`],
      condition: isPresent(x),
    })),
  )
}

const isSealed = (value: unknown): value is NonNullable<CompanyAccountRecord['refreshToken']> =>
  typeof value === 'object' && value !== null && 'cipher' in value && typeof value.cipher === 'string'

/** Builds the steps that remove an account from its user, and revoke its token. They do nothing else if it is removed already. */
export const buildRemoveCompanyAccountSteps = ({
  providerId,
  hash,
  user,
  refreshToken,
}: CompanyAccountRecord): readonly Step[] => [
  ...buildTokenRevocationSteps({ ...companyMembershipsKey(user.id, providerId, hash), refreshToken }),
  {
    delete: companyAccountKey(providerId, hash),
    condition: (x) => `${isAbsent(x)} OR ${x.path('userId')} = ${x.value(user.id)}`,
  },
  { delete: companyMembershipsKey(user.id, providerId, hash) },
]
