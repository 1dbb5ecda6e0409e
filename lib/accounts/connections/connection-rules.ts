import type { AttributeMapping as MappingBody } from '../../contract/models/connections/connection-rules.ts'
import { hasInvisible, invisibleRule } from '../../contract/text-rules.ts'
import type { FieldError } from '../../errors/errors.ts'
import type { AttributeMapping, ConnectionRules } from '../../store/connections/connection-rules.ts'
import { omitUndefined } from '../../util/omit-undefined.ts'

/* What both kinds of company connections decide about the answers of their identity provider. */

interface RulesBody {
  readonly attribute_mapping?: MappingBody | undefined
  readonly required_authn_contexts?: readonly string[] | undefined
  readonly multi_factor_authn_contexts?: readonly string[] | undefined
}

/** The rules after a change. What a body omits stays. Defaults are not stored, so sending them back changes nothing. */
export const readConnectionRules = (
  { attribute_mapping: mapping, ...lists }: RulesBody,
  before: ConnectionRules = {},
): ConnectionRules =>
  omitUndefined({
    attributeMapping: keep(mapping && readMapping(mapping, before.attributeMapping), before.attributeMapping),
    requiredAuthnContexts: keep(readList(lists.required_authn_contexts), before.requiredAuthnContexts),
    multiFactorAuthnContexts: keep(
      readList(lists.multi_factor_authn_contexts),
      before.multiFactorAuthnContexts,
    ),
  })

/** An empty value replaces a stored one, and is not stored where there was none. */
const keep = <Value extends object>(
  given: Value | undefined,
  before: Value | undefined,
): Value | undefined =>
  before === undefined && given !== undefined && Object.keys(given).length === 0
    ? undefined
    : (given ?? before)

const readList = (given: readonly string[] | undefined): readonly string[] | undefined =>
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
}: ConnectionRules) => ({
  attribute_mapping: {
    ...{ username_from: username ?? null, email_from: email ?? null },
    ...{ full_name_from: fullName ?? null, groups_from: groups ?? null },
  },
  required_authn_contexts: [...(requiredAuthnContexts ?? [])],
  multi_factor_authn_contexts: [...(multiFactorAuthnContexts ?? [])],
})

/** Returns all that is wrong with the rules. They are compared with what identity providers send. */
export const validateConnectionRules = ({
  attributeMapping = {},
  requiredAuthnContexts = [],
  multiFactorAuthnContexts = [],
}: ConnectionRules): readonly FieldError[] =>
  [
    ['attribute_mapping', Object.values(attributeMapping)] as const,
    ['required_authn_contexts', requiredAuthnContexts] as const,
    ['multi_factor_authn_contexts', multiFactorAuthnContexts] as const,
  ].flatMap(([field, texts]) => {
    const message = texts.map(validateSentText).find((problem) => problem !== undefined)
    return message === undefined ? [] : [{ field, message }]
  })

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
