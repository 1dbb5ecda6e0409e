import * as z from 'zod/mini'
import { getDisplayName } from '../../accounts/users/user-body.ts'
import { listParameters } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { readAttributeClaims } from '../directory/attributes/attributes.ts'
import type { ActingPrincipal } from '../organizations/acting-principal.ts'
import { addClaims } from './added-claims.ts'
import type { ClientRecord } from './clients.records.ts'
import { type ClientRights, limitRights, nameSubject, selectClaims } from './token-claims.ts'
import type { UserClaims } from './tokens/claims.ts'

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

/**
 * Builds the claims about a user that a client gets for its scopes. Other scopes have none. The scope `attributes` takes a table
 * call for users who have some.
 */
export const buildScopeClaims = async (
  services: Pick<Services, 'table' | 'log'>,
  { principal, claims, place }: Described,
  rights: ClientRights & { readonly client: ClientRecord },
): Promise<Record<string, unknown>> => {
  const { user, actor } = principal
  const attributes = rights.scopes.includes('attributes')
    ? await readAttributeClaims(services.table, user)
    : undefined
  const stated = selectClaims(place, rights.scopes, {
    ...limitRights(claims, rights),
    sub: nameSubject(user, rights.client),
    act: actor && { sub: nameSubject(actor, rights.client) },
    org_id: claims.org_id,
    org_slug: claims.org_slug,
    org_name: claims.org_name,
    org_roles: claims.org_roles,
    preferred_username: user.username,
    name: getDisplayName(user),
    locale: user.language,
    email: user.email,
    email_verified: user.email === null ? null : user.emailVerified !== false,
    attributes,
  })
  return addClaims(services, place, rights, principal, stated)
}

/** Whom a client learns about, and where. */
interface Described {
  readonly principal: Pick<ActingPrincipal, 'user' | 'actor' | 'organization'>
  readonly claims: UserClaims
  readonly place: 'id_token' | 'userinfo'
}
