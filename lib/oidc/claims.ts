import * as z from 'zod/mini'
import { readAttributeClaims } from '../accounts/directory/user-attributes.ts'
import { ownSubjectPrefix } from '../contract/text-rules.ts'
import { listExternalIds, type UserRecord } from '../store/directory/user-record.ts'
import type { Table } from '../store/engine/table.ts'
import type { OidcClient } from '../store/oidc/clients.ts'
import type { UserClaims } from '../tokens/claims.ts'
import { listParameters } from '../util/object-fields.ts'
import { type ClientRights, limitToClient } from './token-claims.ts'

const Claim = z.object({
  essential: z.literal(true),
  value: z.optional(z.string()),
  values: z.optional(z.array(z.string())),
})

/** What counts of the parameter `claims` (OpenID Connect Core 5.5.1.1). */
const ClaimsRequest = z.object({ id_token: z.object({ acr: Claim }) })

/**
 * Reads an essential `acr` of the parameter `claims` as `acr_values`, so that there is one rule for both. ID tokens always state
 * `auth_time`, and other claims follow from scopes, so nothing else of it has an effect.
 */
export const applyClaimsRequest = ({
  claims,
  ...parameters
}: Readonly<Record<string, string>>): Record<string, string> => {
  const { data } = z.safeParse(ClaimsRequest, parseJson(claims ?? ''))
  const { value = '', values = [] } = data?.id_token.acr ?? {}
  return listParameters({
    ...parameters,
    acr_values: [value, ...values].join(' ').trim() || parameters['acr_values'],
  })
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

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

/** The ID of the user in the system that the client came from. Undefined if they have none, or if the client names no system. */
export const findExternalSubject = (
  user: UserRecord,
  { subjectSource }: Pick<OidcClient, 'subjectSource'>,
): string | undefined => listExternalIds(user).find(({ source }) => source === subjectSource)?.id

/** OpenID Connect Core 2: a subject is at most 255 ASCII characters. The import allows others. */
const subjectForm = /^[\x21-\x7e]{1,255}$/

/**
 * The claim `sub` for a client, in ID tokens and at userinfo. A client that came from another system gets the ID that its user
 * had there. So that no other user can be taken for them, others have a prefix that no import accepts.
 */
export const nameSubject = (user: UserRecord, client: Pick<OidcClient, 'subjectSource'>): string => {
  if (!client.subjectSource) return String(user.id)
  const id = findExternalSubject(user, client)
  return id !== undefined && subjectForm.test(id) ? id : `${ownSubjectPrefix}${user.id}`
}
