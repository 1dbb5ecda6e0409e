import { findUsers } from '../../accounts/users/find-users.records.ts'
import { isGuestUser } from '../../accounts/users/guest-state.records.ts'
import { hasInvisible, invisibleRule } from '../../kernel/contract/text-rules.ts'
import type { FieldError } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { ConnectionRules } from './stored-settings.records.ts'

/* What connections decide about the answers of their identity provider, whatever their protocol is. */

/** Returns all that is wrong with the rules. They are compared with what identity providers send. */
export const validateConnectionRules = async (
  table: Table,
  { attribute_mapping, required_authn_contexts, multi_factor_authn_contexts, exempt_users }: ConnectionRules,
  before: ConnectionRules | undefined,
): Promise<readonly FieldError[]> => [
  ...[
    ['attribute_mapping', Object.values(attribute_mapping)] as const,
    ['required_authn_contexts', required_authn_contexts] as const,
    ['multi_factor_authn_contexts', multi_factor_authn_contexts] as const,
  ].flatMap(([field, texts]) => {
    const message = texts
      .map((text) => validateSentText(text ?? undefined))
      .find((problem) => problem !== undefined)
    return message === undefined ? [] : [{ field, message }]
  }),
  ...(await validateExemptUsers(table, exempt_users, before?.exempt_users ?? [])),
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
  { required_authn_contexts }: ConnectionRules,
  stated: readonly string[],
): boolean =>
  required_authn_contexts.length === 0 || stated.some((context) => required_authn_contexts.includes(context))

/** Whether the identity provider states that the user proved two factors. */
export const isMultiFactor = (
  { multi_factor_authn_contexts }: ConnectionRules,
  stated: readonly string[],
): boolean => stated.some((context) => multi_factor_authn_contexts.includes(context))

/** The ways of signing in that the identity provider is asked for: those that are accepted and, if wanted, have two factors. */
export const chooseAuthnContexts = (
  { required_authn_contexts, multi_factor_authn_contexts }: ConnectionRules,
  { wantsMultiFactor = false }: { readonly wantsMultiFactor?: boolean },
): readonly string[] => {
  if (!wantsMultiFactor || multi_factor_authn_contexts.length === 0) return required_authn_contexts
  if (required_authn_contexts.length === 0) return multi_factor_authn_contexts
  const both = required_authn_contexts.filter((context) => multi_factor_authn_contexts.includes(context))
  return both.length > 0 ? both : required_authn_contexts
}
