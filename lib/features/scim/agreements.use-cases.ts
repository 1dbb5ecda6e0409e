import { type Decision, isDecisionNamed, nameDecision } from '../../accounts/callers/decisions.ts'
import { findUserAttributes } from '../../accounts/users/attributes.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { editUser } from '../../accounts/users/write-users.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { noAttributes, readDefined } from '../../kernel/contract/stored-attributes.ts'
import { AppError, invalidRequest, requireFound } from '../../kernel/errors/errors.ts'
import { buildScimAudience } from '../../kernel/settings/jwt-audiences.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Table } from '../../kernel/table/table.ts'
import { findCompanyAccounts, isCompanyAccountRevoked } from '../connections/accounts.records.ts'
import { addDirectory } from '../connections/directory-account.ts'
import { planAttributes } from '../connections/directory-attributes.ts'
import { type Connection, readConnections } from '../connections/records.ts'
import { isVisibleTo, toWire } from '../directory/attributes/attributes.ts'
import { readStoredText } from '../provisioning/stored-values.ts'
import {
  buildEditScimUserSteps,
  findScimUserOfIdentity,
  type ScimAgreement,
  type ScimUserRecord,
} from '../provisioning/users.records.ts'
import type { OwnDirectory } from './agreements.models.ts'
import type { scimAgreements } from './agreements.operations.ts'
import { changeAccount, readFullName } from './change-account.ts'
import { auditScim } from './scim-context.ts'
import { readUserValues } from './stored-values.ts'
import { syncAttributes } from './sync-people.ts'

/*
 * An account that was there before the directory sent its person belongs to its user. So the user is asked whether the directory may change
 * it. The answer stands with the person of the directory, and is one conditional write.
 */

interface Adopted {
  readonly connection: Connection
  readonly person: ScimUserRecord
  /** The attributes that the directory would change. */
  readonly attributes: readonly (OwnDirectory['attributes'][number] & { readonly key: string })[]
}

/** The people of directories whose account was that of the user before. */
const findAdopted = async (table: Table, user: UserRecord): Promise<readonly Adopted[]> => {
  const accounts = (await findCompanyAccounts(table, user)).filter((one) => !isCompanyAccountRevoked(one))
  const connections = await readConnections(
    table,
    accounts.map(({ providerId }) => providerId),
  )
  const found = await Promise.all(
    accounts.map(async ({ hash }, at) => {
      const connection = connections[at]
      if (!connection?.scim) return undefined
      const known = await findScimUserOfIdentity(table, connection.id, hash)
      const isAsked = known && !known.isDeleted && known.person.isActive && !known.person.madeUser
      if (!isAsked) return undefined
      return {
        connection,
        person: known.person,
        attributes: await findAttributes(table, connection, known.person),
      }
    }),
  )
  return found.filter((one) => one !== undefined)
}

/** Users decide about attributes that they see. The directory does not change others of an account that was there before. */
const findAttributes = async (
  table: Table,
  { scim }: Connection,
  { values }: ScimUserRecord,
): Promise<Adopted['attributes']> => {
  const mapping = scim?.userAttributes ?? []
  if (mapping.length === 0) return []
  const visible = (await findUserAttributes(table)).filter((one) => isVisibleTo(one, 'user'))
  const planned = planAttributes(visible, mapping, {
    values: readStoredText(values),
    stored: noAttributes,
    given: [],
  })
  const found = readDefined(planned.stored)
  return visible.flatMap(({ key, name, labels }) => {
    const value = found.get(key)
    return value === undefined
      ? []
      : [{ key, name, labels: labels.map((one) => ({ ...one })), value: toWire(value) }]
  })
}

/** The answer of the user, if it is theirs: an account can have become part of another one. */
const findAgreement = ({ agreement }: ScimUserRecord, { id }: UserRecord): ScimAgreement | undefined =>
  agreement?.userId === id ? agreement : undefined

const readName = (person: ScimUserRecord): string | null => readFullName(readUserValues(person))

const describeDecision = (user: UserRecord, { connection, person, attributes }: Adopted): Decision => ({
  question: 'directory-changes',
  id: `${connection.id} ${person.id}`,
  principal: { user },
  shown: {
    connection: connection.name,
    fullName: readName(person),
    ...(attributes.length > 0 && { attributes: attributes.map(({ name, value }) => [name, value]) }),
  },
})

/** The directory can give further attributes later. */
const coversAll = ({ attributes: agreed = [] }: ScimAgreement, { attributes }: Adopted): boolean =>
  attributes.every(({ key }) => agreed.includes(key))

const toBody = (user: UserRecord, adopted: Adopted): OwnDirectory => {
  const { connection, person, attributes } = adopted
  const agreement = findAgreement(person, user)
  return {
    id: connection.id,
    name: connection.name,
    state:
      !agreement || (agreement.agrees && !coversAll(agreement, adopted))
        ? 'asked'
        : agreement.agrees
          ? 'agreed'
          : 'declined',
    full_name: readName(person),
    attributes: attributes.map(({ key: _, ...shown }) => shown),
    shown: nameDecision(describeDecision(user, adopted)),
  }
}

export const getOwnDirectories: UseCase<typeof scimAgreements.getOwnDirectories> = async (
  { principal: { user } },
  { table },
) => ({ status: 200, body: (await findAdopted(table, user)).map((one) => toBody(user, one)) })

/** Stores the answer. After the user agreed, the account gets the name that they saw. */
export const answerOwnDirectory: UseCase<typeof scimAgreements.answerOwnDirectory> = async (
  { params, body: { agrees, shown }, principal: { user }, context },
  services,
) => {
  const { table, config, now } = services
  if (agrees && shown === undefined)
    throw invalidRequest([{ field: 'shown', message: 'is required to agree' }])
  const answered = await retryConflicts(async (): Promise<Adopted> => {
    const found = requireFound(
      (await findAdopted(table, user)).find(({ connection }) => connection.id === params.id),
      'directory',
    )
    const { connection, person, attributes } = found
    if (agrees && !isDecisionNamed(describeDecision(user, found), shown ?? ''))
      throw new AppError('conflict', {
        reason: 'decision_changed',
        detail: 'The directory has other values by now. Read them again, and then decide.',
      })
    const known = findAgreement(person, user)
    if (known?.agrees === agrees && (!agrees || coversAll(known, found))) return found
    const agreed = agrees && attributes.length > 0 && { attributes: attributes.map(({ key }) => key) }
    const answer = { ...person, agreement: { userId: user.id, agrees, at: now(), ...agreed } }
    const event = agrees ? 'scim.changes_agreed' : 'scim.changes_declined'
    const steps = [
      ...buildEditScimUserSteps(person, answer),
      auditScim({ caller: { connection, organization: undefined }, context }, event, person.id, user.id),
    ]
    if (agrees) {
      const current = requireFound(await findUser(table, user.id), 'user')
      await editUser(
        table,
        current,
        { directories: addDirectory(current, connection) },
        { extraSteps: steps },
      )
    } else await table.transact(steps)
    return { ...found, person: { ...answer, version: person.version + 1 } }
  }, 'The directory kept changing. Send the request again.')
  const { connection, person } = answered
  if (agrees) {
    const baseUrl = buildScimAudience(config.publicUrl, connection.id)
    const scim = { services, context, caller: { connection, organization: undefined }, baseUrl }
    await changeAccount(scim, person)
    await syncAttributes(scim, person)
  }
  return { status: 200, body: toBody(user, answered) }
}
