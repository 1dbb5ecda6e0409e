import {
  apiTokenPrefix,
  companyMembershipsPrefix,
  formerGuestKey,
  formerGuestPrefix,
  idAtEnd,
  linkedByAddressPrefix,
  userKey,
} from '../../kernel/table/keys/keys.ts'
import { createdOrganizationsKey, keptOutPrefix } from '../../kernel/table/keys/organization-keys.ts'
import { type ListEntry, readEntries } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { noteChange } from '../../kernel/table/table-calls.ts'
import { type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { apiTokenCodec, buildMoveApiTokenSteps } from '../api-tokens/records.ts'
import {
  buildMoveCompanyAccountSteps,
  buildRemoveCompanyAccountSteps,
  isCompanyAccountRevoked,
  readCompanyAccount,
} from '../connections/accounts.records.ts'
import { isApiTokenRevoked } from '../leaked-credentials/records.ts'
import {
  isMembershipKey,
  type MovedMembership,
  moveMembership,
} from '../organizations/memberships.records.ts'
import { buildItemSteps } from './delete-user.records.ts'
import type { UserRecord } from './user.records.ts'

/** How many items of a merged user were moved. */
export interface MovedItems {
  readonly apiTokens: number
  readonly accounts: number
  readonly isComplete: boolean
}

const pageSize = 50

/**
 * Moves the API tokens, the accounts at identity providers and the former accounts of a merged user, and deletes all other
 * items of them and what was revoked, until `untilMs`. What another call moves at the same time is moved once.
 */
export const moveUserItems = async (
  table: Table,
  merged: UserRecord,
  keptId: number,
  auditMove: (moved: MovedMembership) => readonly Step[],
  isInTime: () => boolean,
): Promise<MovedItems> => {
  const { pk, sk } = userKey(merged.id)
  let [apiTokens, accounts] = [0, 0]
  for (;;) {
    const entries = await readEntries(
      table,
      { pk, isListing: false },
      { limit: pageSize, isDescending: false },
    )
    const others = entries.filter(({ indexKey }) => indexKey !== sk)
    if (others.length === 0) return { apiTokens, accounts, isComplete: true }
    for (const entry of others) {
      if (!isInTime()) return { apiTokens, accounts, isComplete: false }
      if (isMembershipKey(entry.key)) {
        if (await moveMembership(table, entry, keptId, auditMove)) noteChange()
        continue
      }
      const { kind, steps } = planMove(entry, merged, keptId)
      if (!(await wasCommitted(table.transact(steps)))) continue
      noteChange()
      if (kind === 'api token') apiTokens++
      if (kind === 'account') accounts++
    }
  }
}

interface Move {
  readonly kind?: 'api token' | 'account'
  readonly steps: readonly Step[]
}

const planMove = (entry: ListEntry, merged: UserRecord, keptId: number): Move => {
  const { key, item } = entry
  if (key.sk.startsWith(apiTokenPrefix)) {
    const token = apiTokenCodec.decode(item)
    if (!isApiTokenRevoked(merged, token))
      return { kind: 'api token', steps: buildMoveApiTokenSteps(token, keptId) }
  }
  if (key.sk.startsWith(companyMembershipsPrefix)) {
    const account = readCompanyAccount(item, merged)
    return isCompanyAccountRevoked(account)
      ? { steps: buildRemoveCompanyAccountSteps(account) }
      : { kind: 'account', steps: buildMoveCompanyAccountSteps(item, merged, keptId) }
  }
  if (key.sk.startsWith(formerGuestPrefix)) return { steps: buildMoveFormerSteps(entry, keptId) }
  // What both created counts, so that a merge makes no room for more.
  if (key.sk === createdOrganizationsKey(merged.id).sk)
    return {
      steps: [
        ...buildItemSteps(entry),
        { addTo: createdOrganizationsKey(keptId), amounts: { created: Number(item['created'] ?? 0) } },
      ],
    }
  const isCopied = [linkedByAddressPrefix, keptOutPrefix].some((prefix) => key.sk.startsWith(prefix))
  const copy = isCopied ? [{ put: { ...item, pk: userKey(keptId).pk } }] : []
  return { steps: [...buildItemSteps(entry), ...copy] }
}

/** An account that was replaced before leads to the kept user directly. */
const buildMoveFormerSteps = ({ key }: ListEntry, keptId: number): readonly Step[] => {
  const formerId = idAtEnd(key.sk)
  return [
    { delete: key },
    { put: { ...formerGuestKey(keptId, formerId) } },
    {
      update: userKey(formerId),
      changes: (x) => ({ set: [`${x.path('successorId')} = ${x.value(keptId)}`] }),
    },
  ]
}
