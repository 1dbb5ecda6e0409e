import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { type FieldError, invalidRequest } from '../../../kernel/errors/errors.ts'
import type { Services } from '../../../services.ts'
import { maskedSecret, toFieldErrors } from '../connection-fields.ts'
import { storeNewConnection } from '../edit-connections.ts'
import { chooseDefaultRoles } from '../organization-fields.ts'
import { findPublicConnectionId } from '../public-connections.records.ts'
import { namePublicProvider } from '../public-providers.models.ts'
import { allocateConnectionId } from '../records.ts'
import { createClientKey } from './client-keys.ts'
import { applyOidcBody, validateOidcConnection } from './fields.ts'
import type { OIDCConnectionCreate } from './models.ts'
import { getClientSecretContext } from './protocol.ts'
import { oidcDefaults } from './provider-fields.ts'
import { getProviderRow } from './providers/rows.ts'
import { type OidcConnection, oidcKind } from './records.ts'

/**
 * Creates a connection. `fixed` is what no body sets.
 *
 * @throws AppError `invalid_request` that lists each error of the body
 */
export const createOidc = async (
  services: Services,
  context: RequestContext,
  body: OIDCConnectionCreate,
  fixed: Pick<OidcConnection, 'setup' | 'isFromOrganization'> = {},
): Promise<OidcConnection> => {
  const { table, config, vault } = services
  const { name, issuer, client_id } = body
  const plain = applyOidcBody(
    {
      ...oidcDefaults,
      ...chooseDefaultRoles(body.organization_id),
      ...fixed,
      id: 0,
      kind: 'oidc',
      version: 1,
      name,
      normalizedName: '',
      domains: [],
      issuer,
      client_id,
      clientSecret: { cipher: '' },
      publicJwk: null,
    },
    body,
  )
  const secret = readSecret(body.client_secret)
  const errors = [
    ...(await validateOidcConnection(config, table, plain, undefined)),
    ...(await validateSecret(plain, secret)),
    ...(secret === undefined && usesSecret(plain) ? [describeMissingSecret(body)] : []),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
  const publicName = namePublicProvider(plain)
  const known = publicName === undefined ? undefined : await findPublicConnectionId(table, publicName)
  const id = known ?? (await allocateConnectionId(table))
  const credential = await makeCredential(vault, id, plain, secret)
  return storeNewConnection(services, context, oidcKind, { ...plain, id, ...credential })
}

/** A response has a placeholder for the secret, which clients may send back. */
export const describeMissingSecret = ({
  client_secret: sent,
}: {
  readonly client_secret?: string | null | undefined
}) => ({
  field: 'client_secret',
  message: sent == null ? 'is required with this way to authenticate' : 'must be the secret itself',
})

/** The secret of a body. Undefined if it keeps what is stored. */
export const readSecret = (secret: string | undefined): string | undefined =>
  secret === maskedSecret ? undefined : secret

/** Returns what is wrong with a secret that a request has. Some providers give a key instead. */
export const validateSecret = async (
  connection: OidcConnection,
  secret: string | undefined,
): Promise<readonly FieldError[]> => {
  const { madeSecret } = getProviderRow(connection)
  return secret === undefined || madeSecret === null
    ? []
    : toFieldErrors('client_secret', await madeSecret.validate(secret))
}

type Method = Pick<OidcConnection, 'token_endpoint_auth_method'>

export const usesSecret = ({ token_endpoint_auth_method: method }: Method): boolean =>
  method !== 'private_key_jwt'

/** What proves who this service is: the secret that was sent, or a new key. */
export const makeCredential = async (
  vault: Services['vault'],
  id: number,
  connection: Method,
  secret = '',
): Promise<Pick<OidcConnection, 'clientSecret' | 'publicJwk'>> => {
  const key = usesSecret(connection) ? undefined : await createClientKey()
  return {
    clientSecret: { cipher: await vault.encrypt(key?.privateKey ?? secret, getClientSecretContext(id)) },
    publicJwk: key ? JSON.stringify(key.publicJwk) : null,
  }
}
