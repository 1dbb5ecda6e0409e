import { hasInvisible, invisibleRule } from '../../kernel/contract/text-rules.ts'
import type { FieldError } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { isGuestUser } from '../directory/guest-state.records.ts'
import { findUsers } from '../directory/users.records.ts'
import type { AttributeMapping as MappingBody } from './rules.models.ts'
import type { AttributeMapping, ConnectionRules } from './rules.records.ts'

/* What both kinds of company connections decide about the answers of their identity provider. */

interface RulesBody {
  readonly required_for_domains?: boolean | undefined
  readonly exempt_users?: readonly number[] | undefined
  readonly attribute_mapping?: MappingBody | undefined
  readonly required_authn_contexts?: readonly string[] | undefined
  readonly multi_factor_authn_contexts?: readonly string[] | undefined
}

/** The rules after a change. What a body omits stays. Defaults are not stored, so sending them back changes nothing. */
export const readConnectionRules = (
  { attribute_mapping: mapping, ...rules }: RulesBody,
  before: ConnectionRules = {},
): ConnectionRules =>
  omitUndefined({
    requiredForDomains: (rules.required_for_domains ?? before.requiredForDomains) || keepFalse(before),
    exemptUsers: keep(readList(rules.exempt_users), before.exemptUsers),
    attributeMapping: keep(mapping && readMapping(mapping, before.attributeMapping), before.attributeMapping),
    requiredAuthnContexts: keep(readList(rules.required_authn_contexts), before.requiredAuthnContexts),
    multiFactorAuthnContexts: keep(
      readList(rules.multi_factor_authn_contexts),
      before.multiFactorAuthnContexts,
    ),
  })

/** A provider that was required stays one that is not, and one that never was has no field. */
const keepFalse = ({ requiredForDomains }: ConnectionRules): false | undefined =>
  requiredForDomains === undefined ? undefined : false

/** An empty value replaces a stored one, and is not stored where there was none. */
const keep = <Value extends object>(
  given: Value | undefined,
  before: Value | undefined,
): Value | undefined =>
  before === undefined && given !== undefined && Object.keys(given).length === 0
    ? undefined
    : (given ?? before)

const readList = <Value>(given: readonly Value[] | undefined): readonly Value[] | undefined =>
  given && [...new Set(given)]

const readMapping = (given: MappingBody, before: AttributeMapping = {}): AttributeMapping => {
  const read = (name: string | null | undefined, stored: string | undefined) =>
    name === undefined ? stored : (name ?? undefined)
  return omitUndefined({
    username: read(given.username_from, before.username),
    email: read(given.email_from, before.email),
    fullName: read(given.full_name_from, before.fullName),
    groups: read(given.groups_from, before.groups),
  })
}

/** The rules in the body of a connection. */
export const toRulesBody = ({
  attributeMapping: { username, email, fullName, groups } = {},
  requiredAuthnContexts,
  multiFactorAuthnContexts,
  requiredForDomains,
  exemptUsers,
}: ConnectionRules) => ({
  required_for_domains: requiredForDomains ?? false,
  exempt_users: [...(exemptUsers ?? [])],
  attribute_mapping: {
    ...{ username_from: username ?? null, email_from: email ?? null },
    ...{ full_name_from: fullName ?? null, groups_from: groups ?? null },
  },
  required_authn_contexts: [...(requiredAuthnContexts ?? [])],
  multi_factor_authn_contexts: [...(multiFactorAuthnContexts ?? [])],
})

/** Returns all that is wrong with the rules. They are compared with what identity providers send. */
export const validateConnectionRules = async (
  table: Table,
  {
    attributeMapping = {},
    requiredAuthnContexts = [],
    multiFactorAuthnContexts = [],
    exemptUsers = [],
  }: ConnectionRules,
  before: ConnectionRules | undefined,
): Promise<readonly FieldError[]> => [
  ...[
    ['attribute_mapping', Object.values(attributeMapping)] as const,
    ['required_authn_contexts', requiredAuthnContexts] as const,
    ['multi_factor_authn_contexts', multiFactorAuthnContexts] as const,
  ].flatMap(([field, texts]) => {
    const message = texts.map(validateSentText).find((problem) => problem !== undefined)
    return message === undefined ? [] : [{ field, message }]
  }),
  ...(await validateExemptUsers(table, exemptUsers, before?.exemptUsers ?? [])),
]

/** Users who were deleted since stay valid, so that clients can send back a body that they read. */
const validateExemptUsers = async (
  table: Table,
  ids: readonly number[],
  before: readonly number[],
): Promise<readonly FieldError[]> => {
  const added = ids.filter((id) => !before.includes(id))
  const users = await findUsers(table, added)
  const unknown = added.filter((_, at) => !users[at] || isGuestUser(users[at]))
  return unknown.length === 0
    ? []
    : [{ field: 'exempt_users', message: `contains unknown user IDs: ${unknown.join(', ')}` }]
}

/** For texts that are compared exactly with those of an identity provider. */
export const validateSentText = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  if (hasInvisible(text)) return invisibleRule
  return text === text.trim() && text !== '' ? undefined : 'must not start or end with whitespace'
}

/** Whether a sign-in states one of the ways of signing in that the connection requires. */
export const isAuthnContextEnough = (
  { requiredAuthnContexts = [] }: ConnectionRules,
  stated: readonly string[],
): boolean =>
  requiredAuthnContexts.length === 0 || stated.some((context) => requiredAuthnContexts.includes(context))

/** Whether the identity provider states that the user proved two factors. */
export const isMultiFactor = (
  { multiFactorAuthnContexts = [] }: ConnectionRules,
  stated: readonly string[],
): boolean => stated.some((context) => multiFactorAuthnContexts.includes(context))

/** The ways of signing in that the identity provider is asked for: those that are accepted and, if wanted, have two factors. */
export const chooseAuthnContexts = (
  { requiredAuthnContexts = [], multiFactorAuthnContexts = [] }: ConnectionRules,
  { wantsMultiFactor = false }: { readonly wantsMultiFactor?: boolean },
): readonly string[] => {
  if (!wantsMultiFactor || multiFactorAuthnContexts.length === 0) return requiredAuthnContexts
  if (requiredAuthnContexts.length === 0) return multiFactorAuthnContexts
  const both = requiredAuthnContexts.filter((context) => multiFactorAuthnContexts.includes(context))
  return both.length > 0 ? both : requiredAuthnContexts
}
