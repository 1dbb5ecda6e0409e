import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { countFailedLookup } from '../../accounts/callers/throttle.ts'
import { hashCredential, isSameHash } from '../../kernel/secrets/credentials.ts'
import { decodeFormPart } from '../../kernel/util/form-encoding.ts'
import { listParameters } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import {
  clientAssertionType,
  isClientAssertion,
  readAssertionClient,
  readAssertionKey,
} from './client-assertion.ts'
import {
  type ClientRecord,
  findClient,
  listValidSecrets,
  noteClientNetwork,
  noteSecretUse,
} from './clients.records.ts'
import type { OAuthError } from './flow.models.ts'

/** How a request to an endpoint of OAuth names its client. */
export interface ClientProof {
  readonly authorizationHeader: string | undefined
  /** The fields of the form. */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly assertion?: string | undefined
  readonly assertionType?: string | undefined
}

/** The proof of a request with a form. */
export const readClientProof = (form: ClientForm, authorizationHeader: string | undefined): ClientProof => ({
  authorizationHeader,
  clientId: form.client_id,
  clientSecret: form.client_secret,
  assertion: form.client_assertion,
  assertionType: form.client_assertion_type,
})

/** The fields of a form that say who its client is. */
export type ClientForm = {
  readonly [Field in 'client_id' | 'client_secret' | 'client_assertion' | 'client_assertion_type']?:
    | string
    | undefined
}

/**
 * Authenticates the client of a request (RFC 6749 2.3): by `client_secret_basic`, `client_secret_post` or `private_key_jwt`,
 * and a public client by its identifier alone. Returns undefined for an unknown client, a wrong or missing proof, a proof of
 * a public client, and for more than one method.
 */
export const authenticateClient = async (
  services: Services,
  proof: ClientProof,
  context: RequestContext,
): Promise<ClientRecord | undefined> => {
  const { table } = services
  const { address } = context
  if (proof.assertion !== undefined || proof.assertionType !== undefined)
    return authenticateByAssertion(services, proof, context)
  const claim = readClaim(proof)
  const client = claim && (await findClient(table, claim.clientId))
  if (!client) return undefined
  if (client.type === 'public') return claim.secret === '' ? client : undefined
  return (await isClientSecret(services, client, { secret: claim.secret, address })) ? client : undefined
}

const authenticateByAssertion = async (
  services: Services,
  { assertion = '', assertionType, authorizationHeader, clientId, clientSecret = '' }: ClientProof,
  context: RequestContext,
): Promise<ClientRecord | undefined> => {
  const claimed = readAssertionClient(assertion)
  const isContradicted =
    authorizationHeader !== undefined ||
    clientSecret !== '' ||
    (clientId !== undefined && clientId !== claimed)
  if (claimed === undefined || isContradicted || assertionType !== clientAssertionType) return undefined
  const found = await findClient(services.table, claimed)
  if (!found?.public_keys?.length) return undefined
  const client = found.document ? await renewKeys(services, context, found, assertion) : found
  if (!client || !(await isClientAssertion(services, client, assertion))) return undefined
  await noteClientNetwork(services.table, client, context.address, services.now())
  return client
}

/** The same client with the keys that its document names now. Loaded on demand, because few clients have a document. */
const renewKeys = async (
  services: Services,
  context: RequestContext,
  client: ClientRecord,
  assertion: string,
): Promise<ClientRecord | undefined> => {
  const { renewDocumentKeys } = await import('./client-documents.ts')
  return renewDocumentKeys(services, context, client, readAssertionKey(assertion))
}

interface SentSecret {
  readonly secret: string
  /** That of the sender. Undefined if it is not known. */
  readonly address: string | undefined
}

/**
 * Whether a text is a secret of a client that has not expired. The duration reveals nothing about the secrets. Takes a table call
 * for the first use of a secret on a day, and one for the first from a network.
 */
export const isClientSecret = async (
  { table, now }: Pick<Services, 'table' | 'now'>,
  client: ClientRecord,
  { secret, address }: SentSecret,
): Promise<boolean> => {
  const given = hashCredential(secret)
  const [match] = listValidSecrets(client, now()).filter(({ hash }) => isSameHash(given, hash))
  if (!match) return false
  await noteSecretUse(table, client, match, now())
  await noteClientNetwork(table, client, address, now())
  return true
}

interface ClientClaim {
  readonly clientId: string
  /** Empty if there is none (RFC 6749 2.3.1). */
  readonly secret: string
}

const readClaim = ({
  authorizationHeader,
  clientId,
  clientSecret = '',
}: ClientProof): ClientClaim | undefined => {
  if (authorizationHeader === undefined)
    return clientId === undefined ? undefined : { clientId, secret: clientSecret }
  const basic = readBasic(authorizationHeader)
  // The form may repeat the identifier, but a second secret is a second method.
  const isContradicted = clientSecret !== '' || (clientId !== undefined && clientId !== basic?.clientId)
  return isContradicted ? undefined : basic
}

/** Reads `client_secret_basic`, whose parts are form-encoded before base64 (RFC 6749 2.3.1). */
const readBasic = (header: string): ClientClaim | undefined => {
  const [, encoded = ''] = /^basic ([\w+/-]+={0,2})$/i.exec(header) ?? []
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  const [clientId, secret] = [decodeFormPart(text.slice(0, colon)), decodeFormPart(text.slice(colon + 1))]
  return clientId === undefined || secret === undefined ? undefined : { clientId, secret }
}

interface ProofRequest {
  readonly authorizationHeader: string | undefined
  readonly context: RequestContext
}

/** A form for the library, with the client that proved who it is by an assertion. */
interface ProvenForm {
  readonly form: Readonly<Record<string, string>>
  readonly provenClient?: ClientRecord
}

/**
 * Verifies the assertion of a request, if it has one. The library knows the methods with a secret, and asks this service
 * whether the secret is right. Undefined for an assertion that proves nothing.
 */
export const proveClient = async (
  services: Services,
  given: ClientForm & Readonly<Record<string, string | undefined>>,
  { authorizationHeader, context }: ProofRequest,
): Promise<ProvenForm | undefined> => {
  const { client_assertion: assertion, client_assertion_type: type, ...form } = listParameters(given)
  if (assertion === undefined && type === undefined) return { form }
  const proof = readClientProof(given, authorizationHeader)
  const provenClient = await authenticateClient(services, proof, context)
  if (!provenClient) return undefined
  const { clientId } = provenClient
  return { provenClient, form: { ...form, client_id: clientId, client_secret: 'proven by an assertion' } }
}

/**
 * Counts a client that did not authenticate, as everywhere that secrets are checked, and returns the response (RFC 6749
 * 5.2).
 *
 * @throws AppError `too_many_requests` when the caller's network exceeds the limit
 */
export const refuseClient = async (services: Services, context: RequestContext) => {
  await countFailedLookup(services, context)
  return refusal
}

const refusal = {
  status: 401 as const,
  headers: { 'www-authenticate': 'Basic realm="OAuth"' },
  body: {
    error: 'invalid_client',
    error_description: 'The client is unknown, or its secret is wrong or missing.',
  } satisfies OAuthError,
}
