import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { AppError, invalidRequest } from '../core/errors.ts'
import { metadataBytes, metadataFetchMs } from '../core/limits.ts'
import { BodyRefused, knownEncodings, readLimited } from './limited-body.ts'
import { isLoopbackAddress, isPublicAddress } from './public-addresses.ts'
import { isLoopbackHost, readHost } from './web-address.ts'

/*
 * Fetches what somebody else named, without becoming its hand inside our network. A name is resolved once, each of its
 * addresses is looked at, and the connection goes to those very addresses: so a name can't lead elsewhere the second
 * time. Redirects aren't followed. Errors tell the step that failed, and nothing of the answer or of addresses.
 */

export interface FetchRules {
  /** Whether this machine may be asked: for trying things out where the service itself is on plain http. */
  readonly allowsLoopback: boolean
  /** What tests put in the place of the network. */
  readonly doubles?: {
    readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>
    readonly isPublic?: (address: string) => boolean
    readonly ca?: string
    readonly port?: number
    readonly timeoutMs?: number
  }
}

type Step = 'resolve' | 'connect' | 'tls' | 'answer' | 'timeout' | 'redirect' | 'status' | BodyRefused['part']

const sentences: Readonly<Record<Step, string>> = {
  resolve: 'The host of the metadata URL could not be resolved: check its name.',
  connect: 'No connection to the host of the metadata URL could be made.',
  tls: 'The host of the metadata URL did not prove who it is: check its TLS certificate.',
  answer: 'The metadata URL was answered by something else than a whole HTTP answer.',
  timeout: `The metadata URL was not answered within ${metadataFetchMs / 1000} seconds.`,
  redirect:
    'The metadata URL was answered with a redirect, which is not followed: give the address it leads to.',
  status: 'The metadata URL was not answered with status 200.',
  size: 'The answer of the metadata URL is larger than 1 MiB.',
  encoding: 'The answer of the metadata URL could not be decompressed.',
}

const failed = (step: Step): AppError =>
  new AppError('upstream_failed', { reason: step, detail: sentences[step] })

/**
 * The bytes behind a URL that `readMetadataAddress` let pass.
 *
 * @throws AppError `invalid_request` when the host has an address that isn't public.
 * @throws AppError `upstream_failed` whose `reason` is the step that failed.
 */
export const ssrfSafeFetch = async (url: URL, rules: FetchRules): Promise<Buffer> => {
  let request: ClientRequest | undefined
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failed('timeout')), rules.doubles?.timeoutMs ?? metadataFetchMs)
  })
  const work = async (): Promise<Buffer> => {
    const addresses = await addressesOf(url, rules)
    request = open(url, addresses, rules)
    return read(await answerTo(request))
  }
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
    request?.destroy()
  }
}

const addressesOf = async (
  url: URL,
  { allowsLoopback, doubles = {} }: FetchRules,
): Promise<LookupAddress[]> => {
  const host = readHost(url)
  const family = isIP(host)
  const resolve = doubles.resolve ?? ((name: string) => lookup(name, { all: true, order: 'verbatim' }))
  const found = family
    ? [{ address: host, family }]
    : await resolve(host).catch(() => {
        throw failed('resolve')
      })
  if (found.length === 0) throw failed('resolve')
  const isAllowed =
    allowsLoopback && isLoopbackHost(url) ? isLoopbackAddress : (doubles.isPublic ?? isPublicAddress)
  // One that isn't is enough: which of them is connected to would be up to chance.
  if (!found.every(({ address }) => isAllowed(address)))
    throw invalidRequest([
      { field: 'url', message: 'leads to an address that is not on the public internet' },
    ])
  return [...found]
}

const open = (url: URL, addresses: LookupAddress[], { doubles = {} }: FetchRules): ClientRequest => {
  const isTls = url.protocol === 'https:'
  const host = readHost(url)
  const options: RequestOptions & https.RequestOptions = {
    host,
    port: doubles.port ?? (url.port === '' ? undefined : Number(url.port)),
    path: url.pathname + url.search,
    // One of our own, for this request: none of what the process may be set up with, such as a proxy.
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
    // By the name that was asked for, however it is connected to; an address has none (RFC 6066 3).
    ...(isTls ? { servername: isIP(host) ? '' : host, rejectUnauthorized: true } : {}),
    ...(doubles.ca === undefined ? {} : { ca: doubles.ca }),
  }
  return (isTls ? https : http).request(options)
}

const answerTo = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    let step: Step = 'connect'
    request.on('socket', (socket) => {
      socket.once('connect', () => {
        step = 'encrypted' in socket ? 'tls' : 'answer'
      })
      socket.once('secureConnect', () => {
        step = 'answer'
      })
    })
    request.on('response', resolve)
    // Asking for another protocol is no HTTP answer.
    request.on('upgrade', () => reject(failed('answer')))
    request.on('error', () => reject(failed(step)))
    request.end()
  })

const read = async (response: IncomingMessage): Promise<Buffer> => {
  const { statusCode = 0, headers } = response
  if (statusCode >= 300 && statusCode < 400) throw failed('redirect')
  if (statusCode !== 200) throw failed('status')
  if (Number(headers['content-length'] ?? 0) > metadataBytes) throw failed('size')
  try {
    return await readLimited(response, headers['content-encoding'] ?? '', metadataBytes)
  } catch (error) {
    throw failed(error instanceof BodyRefused ? error.part : 'answer')
  }
}
