import { errors } from 'oidc-provider'
import * as z from 'zod/mini'
import { clientDocumentBytes, clientDocumentMs, clientKeysMax } from '../../kernel/limits/limits.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { FetchError } from '../connections/fetch-error.ts'
import { BodyError, knownEncodings, readLimited } from '../connections/read-limited.ts'
import { sendSafely } from '../connections/ssrf-safe-request.ts'
import { isLoopbackHost } from '../connections/web-address.ts'
import { findClientKeyError } from './client-assertion.ts'
import { findRedirectUriError } from './client-uris.ts'
import type { ClientRecord, PublicClientKey } from './clients.records.ts'
import type { DocumentPlace } from './document-address.ts'

/** What a document says of its client. The service decides everything else. */
export const describedFields = ['redirect_uris', 'type', 'public_keys'] as const
export type DescribedClient = Pick<ClientRecord, (typeof describedFields)[number]>

type Reader = Pick<Services, 'config'>

/**
 * Reads the document of a client, and the keys that it names.
 *
 * @throws InvalidClient if it does not describe a client that this service accepts
 * @throws FetchError if the document or its keys cannot be read
 */
export const readClientDocument = async (
  services: Reader,
  place: DocumentPlace,
): Promise<DescribedClient> => {
  const { address } = place
  const { data } = z.safeParse(ClientDocument, parseJson(await fetchText(services, address)))
  if (!data) throw refuseDocument('is not the metadata of a client')
  if (data.client_id !== address.href) throw refuseDocument('is of another client')
  const redirectUris = data.redirect_uris.filter((uri) => isCallbackOf(place, uri))
  if (redirectUris.length === 0)
    throw refuseDocument(
      'has no redirect URI on its own host, on a host that an administrator allows for it, or at a loopback address',
    )
  const methods = listMethods(data)
  const [isPublic, hasKeys] = [methods.includes('none'), methods.includes('private_key_jwt')]
  if (!isPublic && !hasKeys)
    throw refuseDocument('lists no way to prove who the client is that this service knows')
  const publicKeys = hasKeys ? await readKeys(services, address, data) : []
  if (!isPublic && publicKeys.length === 0) throw refuseDocument('names no key that this service accepts')
  return { redirect_uris: redirectUris, type: isPublic ? 'public' : 'confidential', public_keys: publicKeys }
}

export const refuseDocument = (problem: string): Error =>
  new errors.InvalidClient(`the document that client_id names ${problem}`)

/** @throws FetchError */
const fetchText = ({ config }: Reader, address: URL): Promise<string> =>
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

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const method = z.string().check(z.maxLength(100))

/** What counts of a document (RFC 7591 2). A client that knows several methods lists them (OpenID Connect RP Metadata Choices). */
const ClientDocument = z.object({
  client_id: z.string(),
  redirect_uris: z.array(z.string().check(z.maxLength(1000))).check(z.minLength(1), z.maxLength(20)),
  token_endpoint_auth_method: z.optional(method),
  token_endpoint_auth_methods_supported: z.optional(z.array(method).check(z.maxLength(20))),
  token_endpoint_auth_signing_alg: z.optional(z.string()),
  jwks: z.optional(z.unknown()),
  jwks_uri: z.optional(z.string()),
  client_secret: z.optional(z.undefined()),
  client_secret_expires_at: z.optional(z.undefined()),
})
type ClientDocument = z.output<typeof ClientDocument>

/** Without a word about it, a client has neither a secret nor keys: it could not have got a secret. */
const listMethods = ({
  token_endpoint_auth_method: preferred,
  token_endpoint_auth_methods_supported: supported = [],
}: ClientDocument): readonly string[] => {
  const methods = [...(preferred === undefined ? [] : [preferred]), ...supported]
  return methods.length === 0 ? ['none'] : methods
}

/**
 * Whether codes may go to an address: on the host of the document, on one that an administrator allows for it, or of a program on the
 * machine of the user. A document may list others, for other services. They are left out.
 */
export const isCallbackOf = ({ address, callbackHosts }: DocumentPlace, uri: string): boolean => {
  const url = URL.parse(uri)
  if (!url || findRedirectUriError(uri, 'public') !== undefined) return false
  return (
    url.origin === address.origin ||
    isLoopbackHost(url) ||
    (url.protocol === 'https:' && callbackHosts.includes(url.host))
  )
}

const part = z.optional(z.string())
const nothing = z.optional(z.undefined())

/** A set must have neither the private part of a key nor a secret. What else a key states is left out. */
const KeySet = z.object({
  keys: z.array(
    z.object({
      kty: z.string(),
      kid: part,
      alg: part,
      use: part,
      n: part,
      e: part,
      crv: part,
      x: part,
      y: part,
      d: nothing,
      k: nothing,
    }),
  ),
})

/** The keys of a client that it may sign assertions with. Its set can have others, such as keys to encrypt with. */
const readKeys = async (
  services: Reader,
  address: URL,
  { jwks, jwks_uri: uri, token_endpoint_auth_signing_alg: algorithm }: ClientDocument,
): Promise<readonly PublicClientKey[]> => {
  if ((jwks === undefined) === (uri === undefined))
    throw refuseDocument('names its keys neither by jwks nor by jwks_uri, or by both')
  const set = uri === undefined ? jwks : parseJson(await fetchText(services, readKeyAddress(address, uri)))
  const { data } = z.safeParse(KeySet, set)
  if (!data) throw refuseDocument('has no set of public keys')
  const keys = data.keys.flatMap(({ kty, alg = algorithm, ...others }) => {
    if (!isKeyType(kty) || (algorithm !== undefined && alg !== algorithm)) return []
    const key: PublicClientKey = omitUndefined({ kty, alg, ...others })
    return findClientKeyError(key) === undefined ? [key] : []
  })
  if (keys.length > clientKeysMax) throw refuseDocument(`names more than ${clientKeysMax} keys`)
  return keys
}

const isKeyType = (kty: string): kty is PublicClientKey['kty'] => ['RSA', 'EC', 'OKP'].includes(kty)

/** Keys are where the document is, so that they belong to its client, and no other host is asked. */
const readKeyAddress = (address: URL, uri: string): URL => {
  const url = URL.parse(uri)
  const isPlain = url?.href === uri && url.origin === address.origin && !/[#@]/.test(uri)
  if (!url || !isPlain) throw refuseDocument('has a jwks_uri that is not on its own host')
  return url
}
