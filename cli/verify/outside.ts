import { createPublicKey } from 'node:crypto'
import * as z from 'zod/mini'
import { getChildren, isElement, namespaces } from '../../lib/features/connections/saml/xml/element.ts'
import { readXml } from '../../lib/features/connections/saml/xml/read.ts'
import { getErrorMessage } from '../../lib/kernel/util/error-message.ts'
import { version } from '../../lib/kernel/util/version.prebuilt.ts'
import { type AreaCheck, Failed, Skipped } from './check.ts'
import { describeAnswer, isFromService, readBody, type Send } from './request.ts'

/* The checks of what everyone can see. */

const secondsOfHalfAYear = 180 * 24 * 60 * 60

export const buildOutsideChecks = (origin: string, send: Send): readonly AreaCheck[] => [
  {
    id: 'health',
    title: 'Health',
    advice:
      'Look at the log of the function health. An answer that is not from Latchkey comes from the DNS target, CloudFront, or a proxy.',
    docs: 'docs/operate.md#watch',
    run: async (signal) => {
      const answer = await send('GET', '/api/2/health', { signal })
      const health = readBody(answer, z.object({ status: z.literal('ok'), version: z.string() }))
      if (!isFromService(answer)) throw new Failed('Another server than Latchkey answers at this URL.')
      const own = health.version === version ? '' : ` This command has version ${version}.`
      return `Version ${health.version}.${own}`
    },
  },
  {
    id: 'issuer',
    title: 'OpenID discovery',
    advice: `Set domain, or publicUrl, so that the service knows the address ${origin}, and deploy again.`,
    docs: 'docs/configuration.md#the-public-url',
    run: async (signal) => {
      const answer = await send('GET', '/.well-known/openid-configuration', { signal })
      const { issuer, ...endpoints } = readBody(answer, Discovery)
      if (issuer !== origin) throw new Failed(`The issuer is ${issuer} instead of ${origin}.`)
      const other = Object.entries(endpoints).find(([, address]) => !address.startsWith(`${origin}/`))
      if (other) throw new Failed(`${other[0]} leads to ${other[1]}.`)
      return issuer
    },
  },
  {
    id: 'jwks',
    title: 'Public keys of JWTs',
    advice:
      'Look at the log of the function signing-keys, which creates the keys when it is deployed and each day.',
    docs: 'docs/operate.md#jwts-that-cannot-be-signed',
    run: (signal) => checkKeys(send, signal),
  },
  {
    id: 'page',
    title: 'Sign-in page',
    advice: 'Look at the log of the function pages. A proxy must not change paths below /assets/.',
    docs: 'docs/configuration.md#proxies',
    run: async (signal) => {
      const page = await send('GET', '/', { signal })
      if (page.status !== 200 || !page.headers.get('content-type')?.startsWith('text/html'))
        throw new Failed(describeAnswer(page))
      const [, script] = /<script type="module" src="(\/assets\/js\/[\w./-]+)"/.exec(page.text) ?? []
      if (script === undefined) throw new Failed('The page has no script of Latchkey.')
      const { status, headers } = await send('GET', script, { signal })
      if (status !== 200 || !headers.get('content-type')?.includes('javascript'))
        throw new Failed(`The script ${script} was answered with ${status}.`)
      return 'Page and script were loaded.'
    },
  },
  {
    id: 'headers',
    title: 'Headers of pages',
    advice: 'Let the proxy or CloudFront before the service pass all response headers on unchanged.',
    docs: 'docs/security.md#browsers',
    run: async (signal) => {
      const { headers } = await send('GET', '/', { signal })
      const missing = findMissingHeaders(headers, { isHttps: origin.startsWith('https:') })
      if (missing.length > 0) throw new Failed(`Missing or too weak: ${missing.join(', ')}.`)
      return origin.startsWith('https:') ? 'CSP, HSTS and others.' : 'CSP and others. HSTS needs https.'
    },
  },
  {
    id: 'front-door',
    title: 'Firewalls before the service',
    advice: 'Look at the log aws-waf-logs-… in us-east-1 for the rule, and count it instead of blocking.',
    docs: 'docs/deploy.md#front-door',
    run: (signal) => checkFrontDoor(send, signal),
  },
  {
    id: 'saml',
    title: 'SAML metadata',
    advice: 'Look at the log of the function connection-flow. The addresses follow from domain or publicUrl.',
    docs: 'docs/configuration.md#the-public-url',
    run: (signal) => checkSaml(origin, send, signal),
  },
]

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  userinfo_endpoint: z.string(),
})

const PublicKeys = z.object({ keys: z.array(z.record(z.string(), z.unknown())) })

const checkKeys = async (send: Send, signal: AbortSignal): Promise<string> => {
  const { keys } = readBody(await send('GET', '/.well-known/jwks.json', { signal }), PublicKeys)
  // The value of a private key must not get into a report, so only its presence is stated.
  if (keys.some((key) => ['d', 'p', 'q', 'k'].some((name) => Object.hasOwn(key, name))))
    throw new Failed('The key set contains a private key. Withdraw it at once.')
  const usable = keys.filter((key) => key['alg'] === 'RS256' && key['use'] === 'sig' && isStrongKey(key))
  if (usable.length === 0) throw new Failed('There is no key of RS256 that can verify a signature.')
  return `${usable.length} keys.`
}

const isStrongKey = (key: Readonly<Record<string, unknown>>): boolean => {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' })
    return (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
  } catch {
    return false
  }
}

const findMissingHeaders = (
  headers: Headers,
  { isHttps }: { readonly isHttps: boolean },
): readonly string[] => {
  const policy = headers.get('content-security-policy') ?? ''
  const script = /(?:^|;)\s*script-src ([^;]*)/.exec(policy)?.[1] ?? ''
  const isStrict =
    /default-src 'none'/.test(policy) &&
    /frame-ancestors 'none'/.test(policy) &&
    !/unsafe|\*|data:/.test(script)
  const [, seconds = '0'] = /max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '') ?? []
  const isFound = {
    'Content-Security-Policy': isStrict,
    'X-Content-Type-Options': headers.get('x-content-type-options') === 'nosniff',
    'Referrer-Policy': headers.get('referrer-policy') === 'no-referrer',
    'Strict-Transport-Security': !isHttps || Number(seconds) >= secondsOfHalfAYear,
  }
  return Object.entries(isFound).flatMap(([name, is]) => (is ? [] : [name]))
}

/** Requests that managed rules of firewalls tend to block: addresses of native apps, long bodies, and unknown paths. */
const checkFrontDoor = async (send: Send, signal: AbortSignal): Promise<string> => {
  const authorization = new URLSearchParams({
    client_id: 'latchkey-verify',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: 'http://127.0.0.1:8080/callback',
  })
  const requests = [
    ['a redirect to a native app', 'GET', `/oauth2/authorize?${authorization}`, undefined],
    ['a body of 20 KB', 'POST', '/api/2/auth/ticket/check', { ticket: 'x'.repeat(20_000) }],
    ['an unknown path', 'GET', '/latchkey-verify', undefined],
  ] as const
  for (const [what, method, path, body] of requests) {
    const answer = await send(method, path, { signal, ...(body ? { body } : {}) })
    if (!isFromService(answer))
      throw new Failed(`Another server answered ${what} with ${answer.status}, before Latchkey received it.`)
    if (answer.status === 429) throw new Skipped('Too many requests. Try again later.')
    if (answer.status < 400 || answer.status > 499) throw new Failed(`For ${what}: ${describeAnswer(answer)}`)
  }
  return 'Latchkey itself refused three invalid requests.'
}

const Providers = z.array(z.object({ id: z.int() }))

/** So many providers are enough to see that metadata works. */
const maxProviders = 5

const checkSaml = async (origin: string, send: Send, signal: AbortSignal): Promise<string> => {
  const providers = readBody(await send('GET', '/api/2/auth/saml', { signal }), Providers)
  if (providers.length === 0) throw new Skipped('There is no identity provider that users can choose.')
  for (const { id } of providers.slice(0, maxProviders)) {
    const answer = await send('GET', `/api/2/auth/saml/${id}/metadata`, { signal })
    if (answer.status !== 200) throw new Failed(`Provider ${id}: ${describeAnswer(answer)}`)
    const problem = findMetadataProblem(answer.text, origin)
    if (problem) throw new Failed(`Provider ${id}: ${problem}`)
  }
  return `${Math.min(providers.length, maxProviders)} of ${providers.length} providers.`
}

const findMetadataProblem = (text: string, origin: string): string | undefined => {
  try {
    const root = readXml(text)
    if (!isElement(root, namespaces.metadata, 'EntityDescriptor'))
      return 'It is not the metadata of an entity.'
    const [role] = getChildren(root, namespaces.metadata, 'SPSSODescriptor')
    const services = role ? getChildren(role, namespaces.metadata, 'AssertionConsumerService') : []
    const locations = services.map(({ attributes }) => attributes.get('Location') ?? '')
    if (locations.length === 0) return 'It names no address for assertions.'
    const other = locations.find((location) => !location.startsWith(`${origin}/`))
    return other === undefined ? undefined : `Assertions would go to ${other}.`
  } catch (error) {
    return `The XML ${getErrorMessage(error)}.`
  }
}
