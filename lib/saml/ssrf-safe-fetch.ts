import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { metadataBytes, metadataFetchMs } from '../core/limits.ts'
import { FetchError, type FetchFailure } from './fetch-error.ts'
import { BodyError, knownEncodings, readLimited } from './limited-body.ts'
import { isLoopbackAddress, isPublicAddress } from './public-addresses.ts'
import { isLoopbackHost, readHost } from './web-address.ts'

/*
 * Fetches a URL that somebody else chose, without reaching into private networks (SSRF). The host name is resolved once,
 * all of its addresses are checked, and the connection uses exactly these addresses. So a second lookup cannot lead
 * elsewhere. Redirects are not followed. Errors name the failed step, but no addresses and nothing of the response.
 */

export interface FetchRules {
  /** Whether this machine may be fetched from. Only for trials where the service itself runs on http. */
  readonly allowsLoopback: boolean
  /** Replacements for the network in tests. */
  readonly doubles?: {
    readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>
    readonly isPublic?: (address: string) => boolean
    readonly ca?: string
    readonly port?: number
    readonly timeoutMs?: number
  }
}

/**
 * Returns the bytes behind a URL that `readMetadataAddress` accepted.
 *
 * @throws FetchError
 */
export const ssrfSafeFetch = async (url: URL, rules: FetchRules): Promise<Buffer> => {
  let request: ClientRequest | undefined
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new FetchError('timeout')), rules.doubles?.timeoutMs ?? metadataFetchMs)
  })
  const fetchBody = async (): Promise<Buffer> => {
    const addresses = await resolveAddresses(url, rules)
    request = createRequest(url, addresses, rules)
    return readBody(await waitForResponse(request))
  }
  try {
    return await Promise.race([fetchBody(), deadline])
  } finally {
    clearTimeout(timer)
    request?.destroy()
  }
}

const resolveAddresses = async (
  url: URL,
  { allowsLoopback, doubles = {} }: FetchRules,
): Promise<LookupAddress[]> => {
  const host = readHost(url)
  const family = isIP(host)
  const resolve = doubles.resolve ?? ((name: string) => lookup(name, { all: true, order: 'verbatim' }))
  const found = family
    ? [{ address: host, family }]
    : await resolve(host).catch(() => {
        throw new FetchError('resolve')
      })
  if (found.length === 0) throw new FetchError('resolve')
  const isAllowed =
    allowsLoopback && isLoopbackHost(url) ? isLoopbackAddress : (doubles.isPublic ?? isPublicAddress)
  // One forbidden address is enough to reject the host, because any of the addresses may be used.
  if (!found.every(({ address }) => isAllowed(address))) throw new FetchError('address')
  return [...found]
}

const createRequest = (url: URL, addresses: LookupAddress[], { doubles = {} }: FetchRules): ClientRequest => {
  const isTls = url.protocol === 'https:'
  const host = readHost(url)
  const options: RequestOptions & https.RequestOptions = {
    host,
    port: doubles.port ?? (url.port === '' ? undefined : Number(url.port)),
    path: url.pathname + url.search,
    // A new agent, because the default agent of the process may have settings such as a proxy.
    agent: isTls ? new https.Agent({ keepAlive: false }) : new http.Agent({ keepAlive: false }),
    lookup: (_host, { all }, callback) => {
      const [first] = addresses
      if (all) callback(null, addresses)
      else callback(null, first?.address ?? '', first?.family)
    },
    headers: {
      host: url.host,
      accept: 'application/samlmetadata+xml, application/xml, text/xml, */*;q=0.1',
      'accept-encoding': knownEncodings,
      'user-agent': 'latchkey',
    },
    // The certificate must be for the requested name. Addresses send no server name (RFC 6066 3).
    ...(isTls ? { servername: isIP(host) ? '' : host, rejectUnauthorized: true } : {}),
    ...(doubles.ca === undefined ? {} : { ca: doubles.ca }),
  }
  return (isTls ? https : http).request(options)
}

const waitForResponse = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    let step: FetchFailure = 'connect'
    request.on('socket', (socket) => {
      socket.once('connect', () => {
        step = 'encrypted' in socket ? 'tls' : 'answer'
      })
      socket.once('secureConnect', () => {
        step = 'answer'
      })
    })
    request.on('response', resolve)
    // A switch to another protocol is not an HTTP response.
    request.on('upgrade', () => reject(new FetchError('answer')))
    request.on('error', () => reject(new FetchError(step)))
    request.end()
  })

const readBody = async (response: IncomingMessage): Promise<Buffer> => {
  const { statusCode = 0, headers } = response
  if (statusCode >= 300 && statusCode < 400) throw new FetchError('redirect')
  if (statusCode !== 200) throw new FetchError('status')
  if (Number(headers['content-length'] ?? 0) > metadataBytes) throw new FetchError('size')
  try {
    return await readLimited(response, headers['content-encoding'] ?? '', metadataBytes)
  } catch (error) {
    throw new FetchError(error instanceof BodyError ? error.part : 'answer')
  }
}
