import type { ClaimOutput } from '../../accounts/users/attributes.models.ts'
import { type AttributeValue, readDefined } from '../../kernel/contract/stored-attributes.ts'
import { addedClaimsBytes } from '../../kernel/limits/limits.ts'
import type { Services } from '../../services.ts'
import type { ActingPrincipal } from '../organizations/acting-principal.ts'
import type { OrganizationRecord } from '../organizations/records.ts'
import { findStandardClaim, toClaimValue } from './claim-names.ts'
import type { ClientClaim, ClientRecord } from './clients.records.ts'
import type { ApiRights } from './protected-apis.records.ts'

/** Who reads a token or an answer. */
export interface ClaimReader {
  /** The client that gets it. It has the claims that name it. */
  readonly client: Pick<ClientRecord, 'clientId' | 'addedClaims'>
  /** The scopes of the authorization that the client still has. */
  readonly scopes: readonly string[]
  /** The API that the access token is for. Undefined for userinfo and ID tokens. */
  readonly api?: Pick<ApiRights, 'id'> | undefined
  /** What the hook `beforeToken` adds to the tokens of one request. */
  readonly hookClaims?: ReadonlyMap<string, AttributeValue> | undefined
}

/** The scope that a client needs for a claim. */
export const getScope = (claim: Pick<ClientClaim, 'name' | 'place'>): string =>
  findStandardClaim(claim)?.scope ?? 'attributes'

/** Whether a client has the scope of any of these claims at the top of a token. */
export const statesAny = (names: readonly string[], scopes: readonly string[]): boolean =>
  names.some((name) => scopes.includes(getScope({ name, place: 'top' })))

/** What is about an access token is for the API of the token as well. */
const isAboutAccessToken = (output: ClaimOutput): boolean =>
  output === 'access_token' || output === 'introspection'

/**
 * The claims that an output may state, which is decided nowhere else: all that read it are named, and the user gave the client the
 * scope.
 */
export const listStatedClaims = (
  output: ClaimOutput,
  { client: { addedClaims = [] }, scopes, api }: ClaimReader,
): readonly ClientClaim[] =>
  addedClaims.filter(
    (claim) =>
      claim.outputs.includes(output) &&
      scopes.includes(getScope(claim)) &&
      (!isAboutAccessToken(output) || (api !== undefined && claim.apis.includes(api.id))),
  )

/** A claim of a hook, with its value. */
interface HookClaim {
  readonly source: 'hook'
  readonly place: 'top'
  readonly name: string
  readonly value: AttributeValue
}

/** The claims of a hook that a token states: with the scope for them, and in access tokens only those for an API. A claim of the service stays. */
const listHookClaims = (
  output: ClaimOutput,
  { hookClaims = new Map(), scopes, api }: ClaimReader,
  listed: readonly ClientClaim[],
): readonly HookClaim[] => {
  if (output !== 'id_token' && !(output === 'access_token' && api !== undefined)) return []
  const taken = listed.map(({ name }) => name.toLowerCase())
  return [...hookClaims].flatMap(([name, value]) =>
    scopes.includes(getScope({ name, place: 'top' })) && !taken.includes(name.toLowerCase())
      ? [{ source: 'hook', place: 'top', name, value }]
      : [],
  )
}

/** Whom the claims are about. */
type Described = Pick<ActingPrincipal, 'user' | 'organization'>

/**
 * Returns the claims that are added to an output, together with what it states already. Where both have a claim, that of the service stays,
 * apart from `locale`. Takes no table call.
 */
export const addClaims = <Stated extends object>(
  { log }: Pick<Services, 'log'>,
  output: ClaimOutput,
  reader: ClaimReader,
  { user, organization }: Described,
  stated: Stated,
): Stated => {
  const listed = listStatedClaims(output, reader)
  const claims = [...listed, ...listHookClaims(output, reader, listed)]
  if (claims.length === 0) return stated
  const values = readDefined(user.attributes)
  const top = new Map<string, unknown>()
  const nested = new Map<string, unknown>()
  const leftOut: string[] = []
  let bytes = claims.some(({ place }) => place === 'attributes') ? Buffer.byteLength('"attributes":{}') : 0
  for (const claim of claims) {
    const value = claim.source === 'hook' ? claim.value : readValue(claim, values, organization?.organization)
    const shown = value === undefined ? undefined : toClaimValue(claim, value)
    if (shown === undefined) continue
    const added = Buffer.byteLength(JSON.stringify({ [claim.name]: shown }))
    if (bytes + added > addedClaimsBytes) {
      leftOut.push(claim.name)
      continue
    }
    bytes += added
    const target = claim.place === 'top' ? top : nested
    target.set(claim.name, shown)
  }
  // A value of the user may be personal, so only names are logged.
  if (leftOut.length > 0)
    log.warn('oidc.claims_left_out', { client: reader.client.clientId, output, claims: leftOut })
  return merge(stated, top, nested)
}

const merge = <Stated extends object>(
  stated: Stated,
  top: ReadonlyMap<string, unknown>,
  nested: ReadonlyMap<string, unknown>,
): Stated => {
  const { attributes }: { readonly attributes?: object } = stated
  return {
    ...Object.fromEntries(top),
    ...stated,
    ...(top.has('locale') && { locale: top.get('locale') }),
    ...(nested.size > 0 && { attributes: { ...Object.fromEntries(nested), ...attributes } }),
  }
}

const readValue = (
  { source, value }: ClientClaim,
  values: ReadonlyMap<string, AttributeValue>,
  organization: OrganizationRecord | undefined,
): AttributeValue | undefined => {
  if (source === 'text') return value
  if (source === 'attribute') return values.get(value)
  return organization && readOrganizationField(organization, value)
}

const readOrganizationField = (
  { id, slug, name, external_id, member_limit }: OrganizationRecord,
  field: string,
): string | number | undefined => {
  const values = new Map(Object.entries({ id: String(id), slug, name, external_id, member_limit }))
  return values.get(field) ?? undefined
}

/**
 * The names of the added claims that a client reads itself, for the pages that ask users. What the hook `beforeToken` may add is known by its
 * list alone: it is asked when the client gets its tokens.
 */
export const listClaimNames = (reader: ClaimReader, ofHook: readonly string[] = []): readonly string[] => {
  const outputs = ['id_token', 'userinfo', 'access_token'] as const
  const claims = outputs.flatMap((output) => listStatedClaims(output, reader))
  const added = ofHook.filter((name) => reader.scopes.includes(getScope({ name, place: 'top' })))
  return [...new Set([...claims.map(({ name }) => name), ...added])]
}
