import { createServer, type IncomingMessage, request } from 'node:http'
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

/**
 * Starts a stand-in of CloudFront before an origin. It replaces the headers that only CloudFront may set, and passes on
 * all others, with the name of the service as `Host`.
 */
export const startCloudFront = async (
  origin: string,
  { host, originHeaders }: { host: string; originHeaders: Readonly<Record<string, string>> },
): Promise<LoopbackServer> => {
  const headersFor = (req: IncomingMessage): string[] => {
    const { remoteAddress, remotePort } = req.socket
    const forwardedFor = req.headers['x-forwarded-for']
    const own: Readonly<Record<string, string>> = {
      host,
      via: '2.0 example.cloudfront.net (CloudFront)',
      'cloudfront-viewer-address': `${remoteAddress}:${remotePort}`,
      'x-forwarded-for': [...(forwardedFor ? [forwardedFor] : []), remoteAddress].join(', '),
      ...originHeaders,
    }
    const passedOn = req.rawHeaders.flatMap((name, at) =>
      at % 2 === 1 || name.toLowerCase() in own || name.toLowerCase() === 'connection'
        ? []
        : [name, req.rawHeaders[at + 1] ?? ''],
    )
    return [...passedOn, ...Object.entries(own).flat()]
  }
  const server = createServer((req, res) => {
    const sent = request(origin + req.url, { method: req.method, headers: headersFor(req) }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(res)
    })
    sent.on('error', () => res.destroy())
    req.pipe(sent)
  })
  return listenOnLoopback(server)
}
