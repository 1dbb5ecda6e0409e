import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, vi } from 'vitest'
import { apply } from '../configuration/support.ts'
import { readRedirect } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* The product that `latchkey init` writes signs people in, with the client that its stack configures. */

interface ProductRequest {
  readonly rawPath: string
  readonly queryStringParameters?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  readonly requestContext: { readonly domainName: string }
}
interface ProductAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  readonly body?: string
}

const service = await useService()
vi.stubEnv('ISSUER', service.url)
const product: { readonly handler: (request: ProductRequest) => Promise<ProductAnswer> } = await import(
  pathToFileURL(resolve('examples/starter/product/index.mjs')).href
)
vi.unstubAllEnvs()
const domainName = 'abc123.execute-api.eu-central-1.amazonaws.com'
const redirect_uris = [`https://${domainName}/callback`]
await apply(service.services, {
  ...{ schema_version: 1, owner: 'product' },
  clients: { web: { name: 'Product', type: 'public', redirect_uris } },
})
const person = await addSignedIn(service, { full_name: '<b>Ada</b> & Co' })

const open = (rawPath: string, more: Partial<ProductRequest> = {}) =>
  product.handler({ rawPath, requestContext: { domainName }, ...more })
const readCookies = ({ cookies }: ProductAnswer) => cookies.map((text) => text.split(';')[0] ?? '')

/** Signs the person in as their browser would, up to the address that it comes back to. */
const signIn = async () => {
  const started = await open('/sign-in')
  expect(started.statusCode).toBe(302)
  const { pathname, search, origin } = new URL(started.headers['location'] ?? '')
  expect(origin).toBe(service.url)
  const answer = await service.client('GET', pathname + search, {
    headers: { cookie: `latchkey=${person.bearer}` },
  })
  expect(answer.status, answer.text).toBe(303)
  expect(answer.headers.get('location')).toMatch(new RegExp(`^https://${domainName}/callback\\?`))
  return { cookies: readCookies(started), queryStringParameters: readRedirect(answer) }
}

it('signs a person in, and shows their name as a text', async () => {
  expect((await open('/')).body).toContain('href="/sign-in"')
  const back = await signIn()
  const answer = await open('/callback', back)
  expect([answer.statusCode, answer.body]).toEqual([
    200,
    expect.stringContaining('Signed in as &#60;b&#62;Ada&#60;/b&#62; &#38; Co.'),
  ])
  expect(answer.body).not.toContain('<b>')
  expect(readCookies(answer)).toEqual(['__Host-sign-in='])
})

it('refuses what another browser, another service or nobody began', async () => {
  const [first, second] = [await signIn(), await signIn()]
  const { iss: _, ...withoutIssuer } = first.queryStringParameters
  const attempts: readonly Partial<ProductRequest>[] = [
    {},
    { ...first, cookies: [] },
    { ...first, cookies: second.cookies },
    { ...first, queryStringParameters: withoutIssuer },
    { ...first, queryStringParameters: { ...withoutIssuer, iss: 'https://evil.example.com' } },
    { ...first, queryStringParameters: { ...first.queryStringParameters, code: 'made-up' } },
  ]
  for (const attempt of attempts) {
    const { statusCode, body } = await open('/callback', attempt)
    expect([statusCode, body]).toEqual([400, expect.stringContaining('Try again')])
  }
  expect((await open('/callback', second)).statusCode).toBe(200)
  expect((await open('/callback', second)).statusCode).toBe(400)
})
