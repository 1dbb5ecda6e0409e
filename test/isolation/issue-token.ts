import { buildAuthorization, createPkce } from '../support/oidc.ts'
import { type Sent, send, sendExpecting } from './send.ts'
import {
  audience,
  type Client,
  type IssuedToken,
  type MachineToken,
  type Organization,
  type Person,
  type World,
} from './world.ts'

/** A request of a client to the token endpoint. */
export const askForTokens = (
  { id, secret }: Client,
  form: Readonly<Record<string, string>>,
): Sent & { readonly form: Readonly<Record<string, string>> } => ({
  method: 'POST',
  path: '/oauth2/token',
  form: { ...form, client_id: id, client_secret: secret },
})

/** The path of an authorization for an organization, with its ID or slug. */
export const authorizePath = (
  { client }: World,
  organization: string,
  challenge: string,
  more: object = {},
) => {
  const { id: clientId, redirectUri } = client
  const party = {
    client: { clientId, redirect_uris: [redirectUri], type: 'confidential' as const },
    secret: '',
  }
  return `/oauth2/authorize?${buildAuthorization(party, challenge, { organization, prompt: 'none', ...more })}`
}

/** Signs a member in at the client for an organization, and returns the access token. */
export const issueToken = async (
  world: World,
  organization: Organization,
  person: Person,
  isForUserinfo: boolean,
): Promise<IssuedToken> => {
  const { verifier, challenge } = createPkce()
  const scope = 'openid profile organization offline_access'
  // A silent authorization gets no refresh token.
  const more = {
    prompt: undefined,
    ...(isForUserinfo ? { scope } : { scope: `${scope} permissions`, resource: audience }),
  }
  const path = authorizePath(world, organization.slug, challenge, more)
  const { headers, status, text } = await send({ method: 'GET', path, bearer: person.bearer })
  const code = new URL(headers['location'] ?? 'about:blank').searchParams.get('code')
  if (code === null) throw new Error(`no code: ${status} ${headers['location']} ${text}`)
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: world.client.redirectUri,
    code_verifier: verifier,
  }
  const body = await sendExpecting(200, askForTokens(world.client, form))
  const { access_token: value, refresh_token: refreshToken } = body
  return { value, refreshToken, person, organization, isForUserinfo, hasEnded: false }
}

/** Lets a member go on to another organization of theirs with a refresh token. */
export const switchOrganization = async (
  { client }: World,
  { refreshToken, person, isForUserinfo }: IssuedToken,
  organization: Organization,
): Promise<IssuedToken> => {
  const form = {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    organization: String(organization.id),
  }
  const body = await sendExpecting(200, askForTokens(client, form))
  const { access_token: value, refresh_token: next } = body
  return { value, refreshToken: next, person, organization, isForUserinfo, hasEnded: false }
}

/** Gets a token of a client for itself. */
export const issueMachineToken = async (
  { machine }: World,
  organization: Organization,
): Promise<MachineToken> => {
  const form = { grant_type: 'client_credentials', organization: organization.slug }
  const { access_token: value } = await sendExpecting(200, askForTokens(machine, form))
  return { value, organization }
}
