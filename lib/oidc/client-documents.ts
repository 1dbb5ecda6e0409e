import { errors } from 'oidc-provider'
import * as z from 'zod/mini'
import { auditStep, type RequestContext } from '../accounts/common/request-context.ts'
import { consume } from '../accounts/common/throttle.ts'
import { AppError, ConflictError } from '../errors/errors.ts'
import {
  clientDocumentBytes,
  clientDocumentFreshMs,
  clientDocumentMs,
  clientDocumentStaleMs,
  clientDocumentsMax,
} from '../limits/limits.ts'
import { FetchError } from '../saml/fetch-error.ts'
import { BodyError, knownEncodings, readLimited } from '../saml/ssrf-safe-fetch.ts'
import { sendSafely } from '../saml/ssrf-safe-request.ts'
import { isLoopbackHost } from '../saml/web-address.ts'
import type { Services } from '../services.ts'
import { editUniqueNameRecord } from '../store/engine/unique-name-records.ts'
import {
  allocateOidcClientId,
  createOidcClient,
  findOidcClient,
  type OidcClient,
  oidcClientKind,
} from '../store/oidc/clients.ts'
import { listProtectedApis } from '../store/oidc/protected-apis.ts'
import { day, minute } from '../util/time.ts'
import { findRedirectUriError, readDocumentAddress } from './client-uris.ts'

/*
 * Clients that no administrator registered. Their identifier is the address of a document that says where their codes go
 * (OAuth Client ID Metadata Document). The name that a document claims is never shown, because it can claim any name.
 */

/**
 * Finds the client of an authorization by the address of its document. The document is read again after some minutes. If that is
 * not possible, what it said before counts for a day.
 *
 * @throws InvalidClient if there is no document that can be used
 * @throws AppError `too_many_requests` if the host was asked too often
 */
export const findDocumentClient = async (
  services: Services,
  context: RequestContext,
  clientId: string,
): Promise<OidcClient | undefined> => {
  const address = readDocumentAddress(services.config, clientId)
  if (!address) return undefined
  const { table, now } = services
  const known = await findOidcClient(table, clientId)
  const ageMs = known?.document ? now() - known.document.readAt : Number.POSITIVE_INFINITY
  if (known && ageMs < clientDocumentFreshMs) return known
  const text = await fetchCounted(services, address).catch((error: unknown) => {
    const isUnread =
      error instanceof FetchError || (error instanceof AppError && error.code === 'too_many_requests')
    if (isUnread && known && ageMs < clientDocumentStaleMs) return undefined
    throw error instanceof FetchError ? refuse(`could not be read (${error.reason})`) : error
  })
  if (text === undefined) return known
  return storeClient(services, context, known, { clientId, redirectUris: readRedirectUris(address, text) })
}

const refuse = (problem: string): Error =>
  new errors.InvalidClient(`the document that client_id names ${problem}`)

/** Counts each request to a host, because anyone can cause them. */
const fetchCounted = async (services: Services, address: URL): Promise<string> => {
  await consume(services, 'clientDocuments', address.host)
  return fetchDocument(services, address)
}

/** @throws FetchError */
const fetchDocument = ({ config }: Services, address: URL): Promise<string> =>
  sendSafely(
    address,
    {
      method: 'GET',
      headers: { accept: 'application/json', 'accept-encoding': knownEncodings },
      timeoutMs: clientDocumentMs,
    },
    { allowsLoopback: config.allowPrivateMetadata },
    async (response) => {
      const { statusCode = 0, headers } = response
      if (statusCode >= 300 && statusCode < 400) throw new FetchError('redirect')
      if (statusCode !== 200) throw new FetchError('status')
      const encoding = headers['content-encoding'] ?? ''
      const body = await readLimited(response, encoding, clientDocumentBytes).catch((error: unknown) => {
        throw new FetchError(error instanceof BodyError ? error.part : 'answer')
      })
      return body.toString('utf8')
    },
  )

/** What counts of a document (RFC 7591 2). Other fields are ignored, because the service decides them. */
const ClientDocument = z.object({
  client_id: z.string(),
  redirect_uris: z.array(z.string().check(z.maxLength(1000))).check(z.minLength(1), z.maxLength(20)),
  token_endpoint_auth_method: z.optional(z.literal('none')),
  client_secret: z.optional(z.undefined()),
  client_secret_expires_at: z.optional(z.undefined()),
})

/** Returns where the codes of a client may go: to the host of its document, or to a program on the machine of the user. */
const readRedirectUris = (address: URL, text: string): readonly string[] => {
  const { data } = z.safeParse(ClientDocument, parseJson(text))
  if (!data) throw refuse('is not the metadata of a public client')
  if (data.client_id !== address.href) throw refuse('is of another client')
  const isOwn = (uri: string): boolean => {
    const url = URL.parse(uri)
    return url !== null && (url.origin === address.origin || isLoopbackHost(url))
  }
  const refused = data.redirect_uris.find(
    (uri) => findRedirectUriError(uri, 'public') !== undefined || !isOwn(uri),
  )
  if (refused !== undefined)
    throw refuse('has a redirect URI that is neither on its own host nor a loopback address')
  return data.redirect_uris
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What clients get that no administrator registered. Their name is their address, so that none can have that of another app. */
const fixedFields = {
  type: 'public',
  secrets: [],
  postLogoutRedirectUris: [],
  scopes: ['openid', 'profile', 'email', 'offline_access'],
  permissions: [],
  machinePermissions: null,
  backchannelLogoutUri: null,
  accessTokenLifetimeMs: 10 * minute,
  idTokenLifetimeMs: 10 * minute,
  refreshTokenLifetimeMs: 14 * day,
  createdBy: null,
} as const

type Described = Pick<OidcClient, 'clientId' | 'redirectUris'>

/** Stores what a document says, with the APIs that such clients may ask for now. */
const storeClient = async (
  services: Services,
  context: RequestContext,
  known: OidcClient | undefined,
  { clientId, redirectUris }: Described,
): Promise<OidcClient | undefined> => {
  const { table, now } = services
  const apis = (await listProtectedApis(table)).filter(({ allowsDocuments }) => allowsDocuments)
  const described = {
    redirectUris,
    apis: apis.map(({ id, audience, scopes }) => ({ id, audience, scopes: scopes.map(({ name }) => name) })),
    document: { readAt: now() },
  }
  try {
    if (known) {
      const isMoved = JSON.stringify(known.redirectUris) !== JSON.stringify(redirectUris)
      const audit = auditStep(context, 'oidc_client.changed', { target: `${known.id} redirect_uris` })
      return await editUniqueNameRecord(table, oidcClientKind, known, {
        changes: described,
        extraSteps: isMoved ? [audit] : [],
      })
    }
    const id = await allocateOidcClientId(table)
    const audit = auditStep(context, 'oidc_client.described', { target: String(id) })
    const name = { name: clientId, normalizedName: clientId.toLowerCase() }
    return await createOidcClient(
      table,
      id,
      { ...fixedFields, ...described, ...name, clientId, createdAt: now() },
      { limit: clientDocumentsMax, extraSteps: [audit] },
    )
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
    // Another request stored the same document.
    const stored = await findOidcClient(table, clientId)
    if (!stored) throw refuse('cannot be stored, because there are too many clients')
    return stored
  }
}
