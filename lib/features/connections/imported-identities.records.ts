import { userKind } from '../../accounts/users/stored-user.records.ts'
import { ConflictError } from '../../kernel/errors/errors.ts'
import { companyAccountKey } from '../../kernel/table/keys/keys.ts'
import { readAll } from '../../kernel/table/listing.ts'
import { readByIds, userMarkerCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { type AccountName, buildCompanyAccountSteps, hashAccountName } from './accounts.records.ts'
import { findPublicConnectionId, reservePublicConnectionId } from './public-connections.records.ts'
import { getPresetAccounts, type Preset } from './public-providers.models.ts'
import { allocateConnectionId } from './records.ts'

/*
 * Accounts at public providers that signed people in at another service. They are stored like those that people link here. Their
 * names are the preset's, so that they are found once its connection exists.
 */

export interface PublicIdentity {
  readonly provider: Preset
  readonly subject: string
}

/** An identity as it is stored, and who has it. */
export interface FoundIdentity {
  readonly name: AccountName
  readonly subject: string
  /** The user who has it. */
  readonly ownerId: number | undefined
  /** A deleted user who had it. */
  readonly deletedUserId: number | undefined
}

interface FindOptions {
  /** Whether a provider without a connection gets the ID that its connection will have. */
  readonly reservesIds: boolean
}

/** Finds who has identities, in their order. */
export const findIdentities = async (
  table: Table,
  identities: readonly PublicIdentity[],
  { reservesIds }: FindOptions,
): Promise<readonly FoundIdentity[]> => {
  const presets = [...new Set(identities.map(({ provider }) => provider))]
  const findId = (preset: Preset) =>
    reservesIds
      ? reservePublicConnectionId(table, preset, () => allocateConnectionId(table))
      : findPublicConnectionId(table, preset)
  const ids = new Map(
    await Promise.all(presets.map(async (preset) => [preset, await findId(preset)] as const)),
  )
  // No connection has the ID 0, so nobody has an identity there.
  const names = identities.map(
    ({ provider, subject }): AccountName => ({
      providerId: ids.get(provider) ?? 0,
      attribute: getPresetAccounts(provider).origin,
      value: subject,
    }),
  )
  const keys = names.map((name) => companyAccountKey(name.providerId, hashAccountName(name)))
  const owners = (await readAll(table, keys)).map((item) => userMarkerCodec.decodeOptional(item)?.userId)
  const known = [...new Set(owners.flatMap((id) => id ?? []))]
  const users = await readByIds(table, userKind, known)
  const existing = new Set(users.flatMap((user) => user?.id ?? []))
  return identities.map(({ subject }, at) => {
    const owner = owners[at]
    const exists = owner !== undefined && existing.has(owner)
    return {
      name: names[at] as AccountName,
      subject,
      ownerId: exists ? owner : undefined,
      deletedUserId: exists ? undefined : owner,
    }
  })
}

/** Builds the steps that give an identity to a new user. They fail with `account_taken` if another user has it. */
export const buildImportedIdentitySteps = (
  { name, subject, deletedUserId }: FoundIdentity,
  userId: number,
  nowMs: number,
): readonly Step[] =>
  buildCompanyAccountSteps(name, {
    userId,
    groups: [],
    linkedAt: nowMs,
    shownName: subject,
    deletedUserId,
    orElse: () => new ConflictError('account_taken', 'another user has this account at a public provider'),
  })
