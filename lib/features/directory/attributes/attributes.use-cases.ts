import { requireOwnSession } from '../../../accounts/callers/own-session.ts'
import { changeSteps, compareEntries } from '../../../accounts/events/change-event.ts'
import { writeSettings } from '../../../accounts/events/write-settings.ts'
import { type OwnAttribute, UserAttributeDefinition } from '../../../accounts/users/attributes.models.ts'
import {
  findStoredAttributes,
  findUserAttributes,
  isSearchable,
  replaceUserAttributes,
  type StoredClaim,
  type UserAttribute,
} from '../../../accounts/users/attributes.records.ts'
import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { toBody } from '../../../kernel/contract/projection.ts'
import { readDefined } from '../../../kernel/contract/stored-attributes.ts'
import { type FieldError, invalidRequest } from '../../../kernel/errors/errors.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { Step } from '../../../kernel/table/transaction.ts'
import { type Complete, omitUndefined } from '../../../kernel/util/object-fields.ts'
import { planAddedClaims, toClaimBody } from '../../oauth/plan-added-claims.ts'
import { changeOwnUser } from '../users/one-user.use-cases.ts'
import type { users } from '../users/users.operations.ts'
import { changeAttributes, isVisibleTo, toWire } from './attributes.ts'

export const getUserAttributes: UseCase<typeof users.getUserAttributes> = async (_, { table }) => {
  const { attributes = [], claims = [] } = (await findStoredAttributes(table)) ?? {}
  return { status: 200, body: { attributes: attributes.map(toDefinition), claims: claims.map(toClaimBody) } }
}

/** Replaces the definitions. Users are not read: see `attributes.records.ts`. */
export const updateUserAttributes: UseCase<typeof users.updateUserAttributes> = async (
  { body, context },
  { table },
) => {
  const stored = await findStoredAttributes(table)
  const known = new Map(stored?.attributes.map((attribute) => [attribute.name, attribute]))
  let keysUsed = stored?.keysUsed ?? 0
  const attributes = body.attributes.map((given) => {
    const key = known.get(given.name)?.key ?? `${given.is_searchable ? 's' : 'a'}${++keysUsed}`
    return readDefinition(given, key)
  })
  const plan = await planAddedClaims(table, { given: body.claims, stored, attributes })
  const errors = [...validate(body.attributes, known), ...plan.errors]
  if (errors.length > 0) throw invalidRequest(errors)
  const { claims, steps: claimSteps } = plan
  const event = 'user_attributes.changed'
  const change = compareEntries(
    toEntries(stored?.attributes ?? [], stored?.claims ?? []),
    toEntries(attributes, claims),
  )
  const replace = (steps: readonly Step[]) =>
    replaceUserAttributes(table, stored, { attributes, keysUsed, ...(claims.length > 0 && { claims }) }, [
      ...steps,
      ...claimSteps,
    ])
  if (claimSteps.length > 0) await replace(changeSteps(context, event, { change }))
  else await writeSettings(context, { event, ...change }, replace)
  return { status: 200, body: { attributes: attributes.map(toDefinition), claims: claims.map(toClaimBody) } }
}

/** What an event compares. No attribute has a name with a dot. */
const toEntries = (attributes: readonly UserAttribute[], claims: readonly StoredClaim[]) => {
  const names = [...new Set(claims.map(({ name }) => name))]
  return [
    ...attributes.map((one) => [one.name, toDefinition(one)] as const),
    ...names.map((name) => {
      const named = claims.filter((claim) => claim.name === name)
      return [`claims.${name}`, named.map(toClaimBody)] as const
    }),
  ]
}

const validate = (
  given: readonly UserAttributeDefinition[],
  known: ReadonlyMap<string, UserAttribute>,
): readonly FieldError[] => {
  const isRepeated = (values: readonly unknown[], at: number) => values.indexOf(values[at]) < at
  const names = given.map(({ name }) => name)
  const claims = given.map(({ claim }, at) => claim ?? at)
  const searchable = given.map(({ is_searchable: isOne }, at) => (isOne ? 'searchable' : at))
  return given.flatMap((attribute, at): FieldError[] => {
    const old = known.get(attribute.name)
    const { type, labels = [], values = [], is_searchable: isOne = false } = attribute
    const rules: readonly (readonly [boolean, string, string])[] = [
      [isRepeated(names, at), 'name', 'must not be the name of another attribute'],
      [isRepeated(claims, at), 'claim', 'must not be the claim of another attribute'],
      [isRepeated(searchable, at), 'is_searchable', 'must be true for one attribute only'],
      [isOne && type !== 'text', 'is_searchable', 'must be false for another type than text'],
      [values.length > 0 && !type.startsWith('text'), 'values', 'must be empty for this type'],
      [new Set(values).size < values.length, 'values', 'must not be repeated'],
      [
        new Set(labels.map(({ language }) => language)).size < labels.length,
        'labels',
        'must have one label for a language',
      ],
      [old !== undefined && old.type !== type, 'type', fixed],
      [old !== undefined && isSearchable(old) !== isOne, 'is_searchable', fixed],
    ]
    return rules.flatMap(([isBroken, field, message]) =>
      isBroken ? [{ field: `attributes.${at}.${field}`, message }] : [],
    )
  })
}

const fixed = 'must stay as it is: remove the attribute first, and then add another one'

const readDefinition = (
  { is_searchable: _, ...given }: UserAttributeDefinition,
  key: string,
): UserAttribute => ({
  values: [],
  user_access: 'none' as const,
  claim: null,
  ...omitUndefined(given),
  key,
  labels: (given.labels ?? []).toSorted((a, b) => (a.language < b.language ? -1 : 1)),
})

const toDefinition = (attribute: UserAttribute): Complete<UserAttributeDefinition> =>
  toBody<Complete<UserAttributeDefinition>>(UserAttributeDefinition.def.shape, {
    ...attribute,
    is_searchable: isSearchable(attribute),
  })

export const getOwnAttributes: UseCase<typeof users.getOwnAttributes> = async ({ principal }, { table }) => ({
  status: 200,
  body: { attributes: await listOwn(table, principal.user) },
})

export const updateOwnAttributes: UseCase<typeof users.updateOwnAttributes> = async (request, { table }) => {
  const { principal, body } = request
  requireOwnSession(principal)
  const { stored, errors } = await changeAttributes(table, principal.user.attributes, body.attributes, 'user')
  if (errors.length > 0) throw invalidRequest(errors)
  const user = await changeOwnUser(table, request, { attributes: stored })
  return { status: 200, body: { attributes: await listOwn(table, user) } }
}

/** The keys of the attributes that only directories change. Users without a directory take no table call. */
const findKeptKeys = async (table: Table, user: UserRecord): Promise<ReadonlySet<string>> => {
  if (!user.directories) return new Set()
  // Loaded on demand, because few users have a directory.
  const { findKept } = await import('../../connections/kept-by-directory.ts')
  const kept = await findKept(table, user)
  return new Set(kept.flatMap(({ attributes }) => attributes.map(({ key }) => key)))
}

const listOwn = async (table: Table, user: UserRecord): Promise<OwnAttribute[]> => {
  const [definitions, kept] = await Promise.all([findUserAttributes(table), findKeptKeys(table, user)])
  const values = readDefined(user.attributes)
  return definitions
    .filter((definition) => isVisibleTo(definition, 'user'))
    .map((definition) => {
      const value = values.get(definition.key)
      const { name, type, labels, values: allowed } = toDefinition(definition)
      return {
        name,
        type,
        labels,
        values: allowed,
        can_change: definition.user_access === 'write' && !kept.has(definition.key),
        value: value === undefined ? null : toWire(value),
      }
    })
}
