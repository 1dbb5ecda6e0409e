import type { Step } from '../../kernel/table/transaction.ts'
import {
  buildBindingSteps,
  buildEditScimUserSteps,
  buildMatchStep,
  findScimMatch,
  findScimUserByName,
  findScimUserOf,
  findScimUserOfIdentity,
  findScimUsersByExternalId,
  normalizeScimName,
  type ScimUserRecord,
} from '../provisioning/users.records.ts'
import { type AccountName, type CompanyAccountRecord, hashAccountName } from './accounts.records.ts'
import type { AnswerContext, ConnectionContext, DirectoryMatch } from './connection-context.ts'
import { createConnectionError, createNoAccountError } from './errors.ts'
import type { ProvenIdentity } from './proven-identity.records.ts'
import type { Connection, ScimSettings } from './records.ts'

/*
 * Who signs in, as the directory of the connection knows them. The first sign-in finds the person by the value that the connection compares,
 * once. From then on the name at the identity provider leads to them. A connection without a directory takes no table call for this.
 */

/**
 * Finds the person of an identity. Changes nothing. `connectingUser` is who connects it to their account.
 *
 * @throws AppError `login_incomplete` if the directory ended them, whatever the identity provider asserts
 * @throws AppError `permission_denied` if several people have the value
 */
export const matchDirectory = async (
  { services: { table }, provider }: ConnectionContext,
  proven: ProvenIdentity,
  name: AccountName,
  account: CompanyAccountRecord | undefined,
  connectingUser?: number,
): Promise<DirectoryMatch | undefined> => {
  const { scim: settings, id } = provider
  if (!settings) return undefined
  const identity = hashAccountName(name)
  const { isOn, createsUnknown } = settings
  const [ofUser, ofIdentity] = await Promise.all([
    account && findScimUserOf(table, id, account.user.id),
    findScimUserOfIdentity(table, id, identity),
  ])
  for (const found of [ofUser, ofIdentity])
    if (found && (found.isDeleted || !found.person.isActive)) throw createEndedError(provider)
  const bound = ofIdentity ?? ofUser
  const known = { isOn, createsUnknown, identity }
  // Somebody here removed the account of the person. Only they connect it again.
  if (ofIdentity && !account && ofIdentity.person.userId !== connectingUser) throw createEndedError(provider)
  if (bound) return { ...known, person: bound.person, isBound: true, compared: undefined }
  const value = readValue(settings, proven)
  if (value === undefined) return { ...known, person: undefined, isBound: false, compared: undefined }
  const seen = await findScimMatch(table, id, value)
  const people = await findByValue(table, provider, settings, value)
  const active = people.filter(({ isActive }) => isActive)
  if (people.length > 0 && active.length === 0) throw createEndedError(provider)
  if (active.length > 1) throw createNoAccountError(provider)
  // Who has another name there than the person had at their first sign-in is somebody else.
  const isKnownHere = account !== undefined || connectingUser !== undefined
  const person = isOn
    ? active.find(({ userId, assigned }) => userId === undefined || (assigned && !isKnownHere))
    : undefined
  return { ...known, person, isBound: false, compared: { value, seen } }
}

const findByValue = async (
  table: ConnectionContext['services']['table'],
  { id }: Connection,
  { matchesTo }: ScimSettings,
  value: string,
): Promise<readonly ScimUserRecord[]> => {
  if (matchesTo === 'externalId') return findScimUsersByExternalId(table, id, value)
  const found = await findScimUserByName(table, id, value)
  return found ? [found] : []
}

const createEndedError = (provider: Connection) =>
  createConnectionError(
    'login_incomplete',
    provider,
    'account_disabled',
    'Your account here is disabled or has expired. Ask an administrator.',
  )

/** The value that the connection compares: that of the name, or of an attribute with exactly one value. */
const readValue = (
  { attribute, matchesTo }: ScimSettings,
  { identifier, subject, attributes }: ProvenIdentity,
): string | undefined => {
  const read = (): string | undefined => {
    if (attribute === null) return identifier?.value ?? subject.nameId
    const wanted = attribute.toLowerCase()
    const found = attributes.filter(
      ({ name, friendlyName }) => name.toLowerCase() === wanted || friendlyName?.toLowerCase() === wanted,
    )
    const values = found.flatMap((one) => one.values)
    return values.length === 1 ? values[0] : undefined
  }
  const value = read()
  if (value === undefined || value === '') return undefined
  return matchesTo === 'userName' ? normalizeScimName(value) : value
}

/** Whether the directory lets an unknown identity become a user. Undefined if it decides nothing. */
export const mayCreate = (directory: DirectoryMatch | undefined): boolean | undefined => {
  if (!directory?.isOn) return undefined
  if (directory.person) return true
  return directory.createsUnknown ? undefined : false
}

/** A person as they are once an account is theirs. */
const bind = (
  person: ScimUserRecord,
  { identity }: DirectoryMatch,
  userId: number,
  isMade: boolean,
): ScimUserRecord => ({
  ...person,
  userId,
  identity,
  ...(isMade && { madeUser: true as const }),
  version: person.version + 1,
})

/**
 * Builds the steps by which a new identity is that of a person, for the transaction that gives it to a user. They fail with `EditConflict` if
 * the directory sent or changed somebody with the value since.
 */
export const buildDirectorySteps = (
  { provider: { id }, directory }: ConnectionContext,
  userId: number,
  { isMade }: { readonly isMade: boolean },
): readonly Step[] => {
  if (!directory?.compared) return []
  const { person, compared, identity } = directory
  return [
    buildMatchStep(id, compared.value, compared.seen, { userId, identity }),
    ...(person
      ? [
          ...buildEditScimUserSteps(person, bind(person, directory, userId, isMade)),
          ...buildBindingSteps(person, { userId, identity }),
        ]
      : []),
  ]
}

/** The person of a sign-in that made an account. */
export const toBoundPerson = (
  directory: DirectoryMatch | undefined,
  userId: number,
): ScimUserRecord | undefined =>
  directory?.person && !directory.isBound
    ? bind(directory.person, directory, userId, true)
    : directory?.person

/** Binds an account that signed in before to the person whom the directory sent since, or notes who it is for a person to come. */
export const bindAccount = async (
  signIn: AnswerContext,
  directory: DirectoryMatch | undefined,
  { user }: CompanyAccountRecord,
): Promise<ScimUserRecord | undefined> => {
  if (!directory?.isOn || directory.isBound) return directory?.person
  const { person, compared } = directory
  if (!compared || (!person && compared.seen.userId === user.id)) return undefined
  await signIn.use.reserve()
  await signIn.services.table.transact(
    buildDirectorySteps({ ...signIn, directory }, user.id, { isMade: false }),
  )
  return person && bind(person, directory, user.id, false)
}
