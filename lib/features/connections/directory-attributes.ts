import { changeSteps } from '../../accounts/events/change-event.ts'
import { findUserAttributes, type UserAttribute } from '../../accounts/users/attributes.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { toUserChange } from '../../accounts/users/user-change.ts'
import { editUser } from '../../accounts/users/write-users.records.ts'
import { type AttributeValue, readDefined } from '../../kernel/contract/stored-attributes.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { applyChanges } from '../directory/attributes/attributes.ts'
import { describeSource, readSource } from '../provisioning/attribute-sources.ts'
import { readStoredText, type ScimValues } from '../provisioning/stored-values.ts'
import {
  buildUnchangedScimUserStep,
  findScimUser,
  type ScimUserRecord,
} from '../provisioning/users.records.ts'
import { buildProviderGroupsStep, findCompanyAccounts } from './accounts.records.ts'
import type { ConnectionContext } from './connection-context.ts'
import { addDirectory, isBelieved, isOfDirectoryAlone } from './directory-account.ts'
import type { MappedAttribute } from './records.ts'

/*
 * What accounts get of the attributes of their people in a directory. The settings of a connection say which. The keys of what a directory gave
 * are stored apart, so that it takes back this and nothing else. A value that the attribute cannot have any more is left as it is.
 */

interface AttributePlan {
  /** The text to store. */
  readonly stored: string
  /** The keys of all values that the directory gave by then. */
  readonly given: readonly string[]
  readonly problems: readonly { readonly path: string; readonly message: string }[]
}

interface PlannedPerson {
  readonly values: ScimValues
  /** The attributes of the account. */
  readonly stored: string
  readonly given: readonly string[]
}

/** Plans what the attributes of an account become. Attributes that were removed since are left out. */
export const planAttributes = (
  definitions: readonly UserAttribute[],
  mapping: readonly MappedAttribute[],
  { values, stored, given }: PlannedPerson,
): AttributePlan => {
  const byKey = new Map(definitions.map((definition) => [definition.key, definition]))
  const known = new Set(given)
  const problems: { path: string; message: string }[] = []
  let next = stored
  for (const { from, key } of mapping) {
    const definition = byKey.get(key)
    if (!definition) continue
    const texts = readSource(values, from)
    if (texts.length === 0 && !known.has(key)) continue
    const { value, rule } = convert(definition, texts)
    const present = readDefined(next).get(key) ?? null
    const { stored: changed, errors } =
      JSON.stringify(value) === JSON.stringify(present)
        ? { stored: next, errors: [] }
        : applyChanges(definitions, next, [{ name: definition.name, value }], 'manager')
    const message = rule ?? errors[0]?.message
    if (message !== undefined) problems.push({ path: describeSource(from), message })
    else {
      next = changed
      if (value === null) known.delete(key)
      else known.add(key)
    }
  }
  return { stored: next, given: [...known].sort(), problems }
}

interface Converted {
  readonly value: Exclude<AttributeValue, readonly string[]> | string[] | null
  /** The rule that a text breaks which is none of this type. */
  readonly rule?: string
}

/** Directories send texts. */
const convert = ({ type }: UserAttribute, texts: readonly string[]): Converted => {
  const [text] = texts
  if (text === undefined) return { value: null }
  if (type === 'texts') return { value: [...texts] }
  if (type === 'number')
    return /^-?\d{1,15}(\.\d{1,15})?$/.test(text)
      ? { value: Number(text) }
      : { value: null, rule: 'must be a number' }
  if (type !== 'boolean') return { value: text }
  const lower = text.toLowerCase()
  return lower === 'true' || lower === 'false'
    ? { value: lower === 'true' }
    : { value: null, rule: 'must be true or false' }
}

/** The attributes that the directory of a connection gives to the account of a person. */
const listGiven = (
  { provider }: Pick<ConnectionContext, 'provider'>,
  { madeUser, agreement }: ScimUserRecord,
  userId: number,
): readonly MappedAttribute[] => {
  const mapping = provider.scim?.userAttributes ?? []
  if (madeUser) return mapping
  const agreed = agreement?.agrees === true && agreement.userId === userId ? (agreement.attributes ?? []) : []
  return mapping.filter(({ key }) => agreed.includes(key))
}

/**
 * Gives an account what its person in the directory has, and takes what the directory gave before. The directory changes accounts that it brought,
 * as long as nobody else gave them anything, and others as far as their users agreed. Returns the user as they are then.
 */
export const syncDirectoryAttributes = (
  connection: ConnectionContext,
  given: ScimUserRecord,
  user: UserRecord,
  { beforeWrite }: { readonly beforeWrite?: () => Promise<void> } = {},
): Promise<UserRecord> => {
  const { services, provider, context } = connection
  const { table } = services
  if (!provider.scim?.isOn || !provider.scim.userAttributes?.length || !given.isActive)
    return Promise.resolve(user)
  return retryConflicts(async (attempt) => {
    const current = attempt === 1 ? user : ((await findUser(table, user.id)) ?? user)
    // Read after the user, so that of changes at the same time the account gets the last. The user can also take back what they agreed to.
    const person = await findScimUser(table, provider.id, given.id)
    if (!person?.isActive || !isBelieved(provider, current)) return current
    const mapping = listGiven(connection, person, user.id)
    if (mapping.length === 0) return current
    if (person.madeUser && !(await isOfDirectoryAlone(table, provider, current))) return current
    const account = (await findCompanyAccounts(table, current)).find(
      ({ providerId, hash }) => providerId === provider.id && hash === person.identity,
    )
    if (!account) return current
    const { attributes } = current
    const before = account.directoryAttributes ?? []
    const { stored, given: after } = planAttributes(await findUserAttributes(table), mapping, {
      values: readStoredText(person.values),
      stored: attributes,
      given: before,
    })
    if (stored === attributes && JSON.stringify(after) === JSON.stringify(before)) return current
    await beforeWrite?.()
    return editUser(
      table,
      current,
      { attributes: stored, directories: addDirectory(current, provider) },
      {
        extraSteps: [
          buildProviderGroupsStep({ ...account, directoryAttributes: after }, account.groups),
          ...(stored === attributes
            ? []
            : changeSteps(context, 'user.changed', {
                user: user.id,
                change: toUserChange(current, { attributes: stored }),
              })),
          ...(person.madeUser ? [] : [buildUnchangedScimUserStep(person)]),
        ],
      },
    )
  }, 'The account kept changing. Try again.')
}
