import { normalizeEmail } from '../../accounts/names/names.ts'
import { findUser, findUserIdByEmail } from '../../accounts/users/find-users.records.ts'
import { hasVerifiedEmail } from '../../accounts/users/guest-state.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import {
  findCompanyAccounts,
  findNameOwner,
  hashAccountName,
  isCompanyAccountRevoked,
} from '../connections/accounts.records.ts'
import { findLinkable } from '../connections/link-by-address.ts'
import { isUsableAddress } from '../connections/usable-domains.ts'
import {
  buildBindingSteps,
  buildMatchStep,
  findScimMatch,
  findScimUserOf,
  findScimUserOfIdentity,
  normalizeScimName,
  type ScimUserRecord,
} from '../provisioning/users.records.ts'
import type { ScimContext } from './scim-context.ts'
import { ScimError } from './scim-error.ts'

/*
 * Whose account a person is who has signed in through the connection before the directory sent them. Everybody else waits for their first
 * sign-in. Only accounts that have an identity of this connection are ever found here.
 */

type Named = Pick<ScimUserRecord, 'id' | 'connectionId' | 'userName' | 'externalId' | 'addresses'>

interface Binding {
  readonly userId: number
  readonly identity: string
}

export interface BindingPlan {
  /** The fields of the record. */
  readonly fields: Partial<Binding>
  readonly steps: readonly Step[]
}

/** The value of a person that first sign-ins are compared with. */
export const getMatchValue = (
  { scim }: Pick<ScimContext['caller']['connection'], 'scim'>,
  { userName, externalId }: Pick<ScimUserRecord, 'userName' | 'externalId'>,
): string | undefined => (scim?.matchesTo === 'externalId' ? externalId : normalizeScimName(userName))

/**
 * Plans to bind a person who is bound to nobody. The steps fail with `EditConflict` if somebody with their value signs in at the same time.
 *
 * @throws ScimError 409 if an account has one of the addresses, inside the proven domains of the connection, and must not be adopted
 */
export const planBinding = async (scim: ScimContext, person: Named): Promise<BindingPlan> => {
  const { table } = scim.services
  const { connection } = scim.caller
  const value = getMatchValue(connection, person)
  const seen = value === undefined ? undefined : await findScimMatch(table, connection.id, value)
  const matchSteps = value === undefined || !seen ? [] : [buildMatchStep(connection.id, value, seen)]
  const found =
    (seen?.userId !== undefined && seen.identity !== undefined
      ? { userId: seen.userId, identity: seen.identity }
      : undefined) ??
    (await findBySubject(scim, person)) ??
    (await findByAddress(scim, person))
  if (!found) {
    await requireAdoptable(scim, person)
    return { fields: {}, steps: matchSteps }
  }
  const [user, other, ofIdentity] = await Promise.all([
    findUser(table, found.userId),
    findScimUserOf(table, connection.id, found.userId),
    findScimUserOfIdentity(table, connection.id, found.identity),
  ])
  // Somebody else is this account, or was until the directory deleted them.
  if (!user || other || ofIdentity) return { fields: {}, steps: matchSteps }
  return { fields: found, steps: [...matchSteps, ...buildBindingSteps(person, found)] }
}

/** Finds the identity whose name is the value, where connections identify people by it. */
const findBySubject = async (
  { services: { table }, caller: { connection } }: ScimContext,
  { userName, externalId }: Named,
): Promise<Binding | undefined> => {
  if (connection.scim?.attribute !== null) return undefined
  const nameId = connection.scim.matchesTo === 'externalId' ? externalId : userName
  if (nameId === undefined) return undefined
  const name = { providerId: connection.id, nameId, qualifiers: [] }
  const userId = await findNameOwner(table, name)
  return userId === undefined ? undefined : { userId, identity: hashAccountName(name) }
}

/** The addresses of a person that the connection speaks for, the name first. */
const listOwnAddresses = ({ caller: { connection } }: ScimContext, { userName, addresses }: Named) =>
  [...new Set([userName.toLowerCase(), ...addresses])]
    .filter((address) => isUsableAddress(connection, address))
    .slice(0, addressesRead)

const addressesRead = 5

/** Finds the account with an address in a proven domain that has an identity of this connection. */
const findByAddress = async (scim: ScimContext, person: Named): Promise<Binding | undefined> => {
  const { table } = scim.services
  for (const address of listOwnAddresses(scim, person)) {
    const userId = await findUserIdByEmail(table, normalizeEmail(address))
    const user = userId === undefined ? undefined : await findUser(table, userId)
    if (!user || !hasVerifiedEmail(user)) continue
    const account = (await findCompanyAccounts(table, user)).find(
      (one) => one.providerId === scim.caller.connection.id && !isCompanyAccountRevoked(one),
    )
    if (account) return { userId: user.id, identity: account.hash }
  }
  return undefined
}

const requireAdoptable = async (scim: ScimContext, person: Named): Promise<void> => {
  const { services, caller, context } = scim
  for (const address of listOwnAddresses(scim, person)) {
    const holderId = await findUserIdByEmail(services.table, normalizeEmail(address))
    const holder = holderId === undefined ? undefined : await findUser(services.table, holderId)
    // Who only claims an address keeps nobody from it.
    if (!holder || !hasVerifiedEmail(holder)) continue
    try {
      await findLinkable({ services, provider: caller.connection, context }, address)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw new ScimError(
        409,
        'uniqueness',
        'An account with this address exists and cannot be taken over. Its owner connects it when they are signed in.',
      )
    }
  }
}
