import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { resolveSecrets } from '../runner/generated-secrets.ts'
import { factsOf } from '../runner/template-facts.ts'
import type { JsonValue } from '../support/client.ts'
import { type LoopbackServer, listenOnLoopback } from '../support/listen-on-loopback.ts'
import { resolve } from './intrinsics.ts'
import { resourcesOf, type Template } from './synthesis.ts'

/** The configuration of the only distribution of a template. */
export const distributionOf = (template: Template): JsonValue => {
  const [[, distribution] = [], ...others] = resourcesOf(template, 'AWS::CloudFront::Distribution')
  if (!distribution || others.length > 0) throw new Error('there is not one distribution')
  return distribution.Properties.DistributionConfig
}

/** The headers that the distribution adds to requests to its origin, in lower case. */
export const originHeadersOf = (template: Template): Readonly<Record<string, string>> => {
  const [origin] = distributionOf(template).Origins
  const facts = factsOf(template, 'the-table')
  return resolveSecrets(
    Object.fromEntries(
      origin.OriginCustomHeaders.map(({ HeaderName, HeaderValue }: JsonValue) => [
        HeaderName.toLowerCase(),
        resolve(HeaderValue, facts),
      ]),
    ),
  )
}

/** What a distribution does with the requests for a pattern of paths. */
interface Behavior {
  readonly matches: (path: string) => boolean
  /** Undefined keeps nothing. Only the path, the normalized encoding and what this names tell answers apart. */
  readonly cache: { readonly maxSeconds: number } | undefined
  /** Undefined passes on everything that viewers send. */
  readonly headers: ReadonlySet<string> | undefined
  readonly hasQuery: boolean
}

const passOn: Behavior = { matches: () => true, cache: undefined, headers: undefined, hasQuery: true }

/** The behaviors of the distribution of a template, the first that matches first. */
export const behaviorsOf = (template: Template): readonly Behavior[] => {
  const policyOf = (id: JsonValue): JsonValue => template.Resources[id.Ref]?.Properties
  const toBehavior = (behavior: JsonValue): Behavior => {
    const { MaxTTL, ParametersInCacheKeyAndForwardedToOrigin: key } = policyOf(
      behavior.CachePolicyId,
    ).CachePolicyConfig
    const request = policyOf(behavior.OriginRequestPolicyId).OriginRequestPolicyConfig
    const kinds = [
      key.CookiesConfig.CookieBehavior,
      key.HeadersConfig.HeaderBehavior,
      key.QueryStringsConfig.QueryStringBehavior,
      request.CookiesConfig.CookieBehavior,
    ]
    if (kinds.some((kind) => kind !== 'none')) throw new Error('The stand-in knows keys of paths only.')
    const prefix = behavior.PathPattern.replace(/\*$/, '')
    return {
      matches: (path) => path.startsWith(prefix),
      cache: { maxSeconds: MaxTTL },
      headers: new Set(request.HeadersConfig.Headers.map((name: string) => name.toLowerCase())),
      hasQuery: request.QueryStringsConfig.QueryStringBehavior !== 'none',
    }
  }
  return [...(distributionOf(template).CacheBehaviors ?? []).map(toBehavior), passOn]
}

interface KeptAnswer {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** The encodings that CloudFront tells apart, and passes on. */
const normalizeEncoding = (req: IncomingMessage): string =>
  ['br', 'gzip'].filter((name) => String(req.headers['accept-encoding'] ?? '').includes(name)).join(',')

interface DoorOptions {
  readonly host: string
  readonly originHeaders: Readonly<Record<string, string>>
  readonly behaviors?: readonly Behavior[]
}

/**
 * Starts a stand-in of CloudFront before an origin. It replaces the headers that only CloudFront may set, and passes on
 * all others, with the name of the service as `Host`. It keeps successful answers to GET as its behaviors say.
 */
export const startCloudFront = async (
  origin: string,
  { host, originHeaders, behaviors = [passOn] }: DoorOptions,
): Promise<LoopbackServer> => {
  const kept = new Map<string, KeptAnswer>()
  const headersFor = (req: IncomingMessage, { headers, cache }: Behavior): string[] => {
    const { remoteAddress, remotePort } = req.socket
    const forwardedFor = req.headers['x-forwarded-for']
    const encoding = normalizeEncoding(req)
    const own: Readonly<Record<string, string>> = {
      host,
      via: '2.0 example.cloudfront.net (CloudFront)',
      'cloudfront-viewer-address': `${remoteAddress}:${remotePort}`,
      'x-forwarded-for': [...(forwardedFor ? [forwardedFor] : []), remoteAddress].join(', '),
      ...(cache ? { 'user-agent': 'Amazon CloudFront', 'accept-encoding': encoding } : {}),
      ...originHeaders,
    }
    const passedOn = req.rawHeaders.flatMap((name, at) => {
      const isOurs = at % 2 === 1 || name.toLowerCase() in own || name.toLowerCase() === 'connection'
      const isLeftOut = headers !== undefined && !headers.has(name.toLowerCase())
      return isOurs || isLeftOut ? [] : [name, req.rawHeaders[at + 1] ?? '']
    })
    return [...passedOn, ...Object.entries(own).flat()]
  }
  const answer = (res: ServerResponse, { status, headers, body }: KeptAnswer, result: string): void => {
    res.writeHead(status, [...headers, 'X-Cache', `${result} from cloudfront`])
    res.end(body)
  }
  const server = createServer((req, res) => {
    const [path = '', query] = (req.url ?? '').split('?')
    const behavior = behaviors.find(({ matches }) => matches(path)) ?? passOn
    const { cache, hasQuery } = behavior
    const key = cache && req.method === 'GET' ? `${path} ${normalizeEncoding(req)}` : undefined
    const known = key === undefined ? undefined : kept.get(key)
    if (known) return answer(res, known, 'Hit')
    const target = hasQuery && query !== undefined ? `${path}?${query}` : path
    const sent = request(
      origin + target,
      { method: req.method, headers: headersFor(req, behavior) },
      async (response) => {
        const status = response.statusCode ?? 502
        if (key === undefined) {
          res.writeHead(status, response.rawHeaders)
          response.pipe(res)
          return
        }
        const body = Buffer.concat(await response.toArray())
        const received = { status, headers: response.rawHeaders, body }
        const maxAge = Number(/max-age=(\d+)/.exec(response.headers['cache-control'] ?? '')?.[1] ?? 0)
        if (status === 200 && Math.min(maxAge, cache?.maxSeconds ?? 0) > 0) kept.set(key, received)
        answer(res, received, 'Miss')
      },
    )
    sent.on('error', () => res.destroy())
    req.pipe(sent)
  })
  return listenOnLoopback(server)
}
