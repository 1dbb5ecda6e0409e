import { isAbsent } from '../../kernel/table/expressions.ts'
import {
  emailClaimsPartition,
  emailKey,
  formerGuestKey,
  guestEmailKey,
  idAtEnd,
} from '../../kernel/table/keys/keys.ts'
import { readEntries } from '../../kernel/table/listing.ts'
import { userMarkerCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'

export interface AddressHolders {
  /** The account with this verified address. */
  readonly accountId: number | undefined
  /** The guest with this address, also if the account has replaced it. */
  readonly guestId: number | undefined
}

/** Finds who has a normalized email address, in one call. */
export const findAddressHolders = async (table: Table, normalizedEmail: string): Promise<AddressHolders> => {
  const markers = await table.getMany([emailKey(normalizedEmail), guestEmailKey(normalizedEmail)])
  const [accountId, guestId] = markers.map((item) => userMarkerCodec.decodeOptional(item)?.userId)
  return { accountId, guestId }
}

/** Users who claim one address, at most. More of them are not found by it. */
const claimantsRead = 50

/** The IDs of users with a normalized email address: the account or guest that has it, and those who only claim it. */
export const findUserIdsByEmail = async (
  table: Table,
  normalizedEmail: string,
): Promise<readonly number[]> => {
  const [{ accountId, guestId }, claimants] = await Promise.all([
    findAddressHolders(table, normalizedEmail),
    findClaimantIds(table, normalizedEmail, claimantsRead),
  ])
  const holder = accountId ?? guestId
  return [...new Set([...(holder === undefined ? [] : [holder]), ...claimants])].toSorted((a, b) => a - b)
}

/** The IDs of up to `limit` users who claim an address that they have not confirmed. */
export const findClaimantIds = async (
  table: Table,
  normalizedEmail: string,
  limit: number,
): Promise<readonly number[]> => {
  const listing = { pk: emailClaimsPartition(normalizedEmail) }
  const entries = await readEntries(table, listing, { limit, isDescending: false })
  return entries.map(({ indexKey }) => idAtEnd(indexKey))
}

/**
 * Builds the steps that let a new guest stand for the account with its address. A link to the guest is then a link to
 * the account, and its creator cannot see that there is one.
 */
export const buildStandInSteps = (
  guestId: number,
  accountId: number,
  normalizedEmail: string,
): readonly Step[] => [
  { put: { ...guestEmailKey(normalizedEmail), userId: guestId }, condition: isAbsent },
  {
    check: emailKey(normalizedEmail),
    condition: (x) => `${x.path('userId')} = ${x.value(accountId)}`,
    orElse: () => new EditConflict(),
  },
  { put: { ...formerGuestKey(accountId, guestId) } },
]
