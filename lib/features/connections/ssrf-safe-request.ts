import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseIpAddress } from '../../kernel/util/parse-ip-address.ts'
import { FetchError, type FetchFailure } from './fetch-error.ts'
import { isLoopbackHost, readHost } from './web-address.ts'

/*
 * Sends a request to a URL that somebody else chose, without reaching into private networks (SSRF). The host name is
 * resolved once, all of its addresses are checked, and the connection uses exactly these addresses. So a second lookup
 * cannot lead elsewhere. Redirects are not followed. Errors name the failed step, but no addresses and nothing of the
 * response.
 */

export interface FetchRules {
  /** Whether this machine may be reached. Only for trials where the service itself runs on http. */
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

/** What is sent, and how long the whole exchange may take. */
export interface SafeRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
}

/**
 * Sends a request to a URL that was validated, and reads the response with `read`. What `read` leaves unread is
 * dropped with the connection.
 *
 * @throws FetchError
 */
export const sendSafely = async <Result>(
  url: URL,
  sent: SafeRequest,
  rules: FetchRules,
  read: (response: IncomingMessage) => Result | Promise<Result>,
): Promise<Result> => {
  let request: ClientRequest | undefined
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new FetchError('timeout')), rules.doubles?.timeoutMs ?? sent.timeoutMs)
  })
  const exchange = async (): Promise<Result> => {
    const addresses = await resolveAddresses(url, rules)
    request = createRequest(url, sent, addresses, rules)
    return read(await waitForResponse(request, sent.body))
  }
  try {
    return await Promise.race([exchange(), deadline])
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

const createRequest = (
  url: URL,
  { method, headers }: SafeRequest,
  addresses: LookupAddress[],
  { doubles = {} }: FetchRules,
): ClientRequest => {
  const isTls = url.protocol === 'https:'
  const host = readHost(url)
  const options: RequestOptions & https.RequestOptions = {
    method,
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
    headers: { host: url.host, 'user-agent': 'latchkey', ...headers },
    // The certificate must be for the requested name. Addresses send no server name (RFC 6066 3).
    ...(isTls ? { servername: isIP(host) ? '' : host, rejectUnauthorized: true } : {}),
    ...(doubles.ca !== undefined && { ca: doubles.ca }),
  }
  return (isTls ? https : http).request(options)
}

const waitForResponse = (request: ClientRequest, body: string | undefined): Promise<IncomingMessage> =>
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
    request.end(body)
  })

/** The part of IPv6 that is assigned to the internet (RFC 4291 2.4). All other parts have other uses. */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/**
 * Whether an address belongs to the public internet. This excludes private, link-local, multicast and documentation
 * addresses, and all IPv6 forms that contain an IPv4 address, because that may be any of those.
 */
export const isPublicAddress = (text: string): boolean => {
  const address = parseIpAddress(text)
  if (!address) return false
  const isUnicast = address.range() === 'unicast'
  return address.kind() === 'ipv4' ? isUnicast : isUnicast && (address as ipaddr.IPv6).match(globalUnicast)
}

export const isLoopbackAddress = (text: string): boolean => parseIpAddress(text)?.range() === 'loopback'
