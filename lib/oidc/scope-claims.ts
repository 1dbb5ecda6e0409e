import { readAttributeClaims } from '../accounts/directory/user-attributes.ts'
import type { UserRecord } from '../store/directory/user-record.ts'
import type { Table } from '../store/engine/table.ts'
import type { UserClaims } from '../tokens/claims.ts'
import { type ClientRights, limitToClient } from './token-claims.ts'

/** The claims of each scope, in ID tokens and userinfo responses (OpenID Connect Core 5.4). */
export const scopeClaims = {
  openid: ['sub', 'act'],
  profile: ['name', 'preferred_username', 'locale'],
  email: ['email', 'email_verified'],
  groups: ['groups'],
  permissions: ['permissions'],
  attributes: ['attributes'],
} as const

/**
 * Builds the claims about a user that a client gets for its scopes. Other scopes have none. The scope `attributes` takes a table
 * call for users who have some.
 */
export const buildScopeClaims = async (
  table: Table,
  user: UserRecord,
  claims: UserClaims,
  rights: ClientRights,
): Promise<Record<string, unknown>> => {
  const { sub, preferred_username, groups, permissions, act } = limitToClient(claims, rights)
  const known: Record<string, unknown> = {
    ...{ sub, preferred_username, groups, permissions, act },
    attributes: rights.scopes.includes('attributes') ? await readAttributeClaims(table, user) : undefined,
    name: user.fullName,
    locale: user.language,
    email: user.email,
    email_verified: user.email === null ? null : user.emailVerified !== false,
  }
  const allowed = rights.scopes.flatMap((scope) =>
    Object.hasOwn(scopeClaims, scope) ? scopeClaims[scope as keyof typeof scopeClaims] : [],
  )
  // A claim without a value is left out (OpenID Connect Core 5.3.2).
  return Object.fromEntries(
    allowed.flatMap((name) =>
      known[name] === null || known[name] === undefined ? [] : [[name, known[name]]],
    ),
  )
}
