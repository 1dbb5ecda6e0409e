import { describe, expect, it } from 'vitest'
import { connectionErrorPage } from '../../lib/features/connections/error.page.ts'
import type { HttpEvent } from '../../lib/http/http-types.ts'
import { toProblem } from '../../lib/http/problem.ts'
import { TestBrowser } from '../support/browser.ts'
import { makeIdp } from '../support/idp.ts'
import { addProvider, startSignIn } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

const name = 'Okta <b>of</b> Example'
const shownName = 'Okta &lt;b&gt;of&lt;/b&gt; Example'

// Over HTTPS the browser sends the flow cookie with the form that the provider posts.
const publicUrl = 'https://auth.example.com'
const service = await useService({ PUBLIC_URL: publicUrl })
const idp = await makeIdp()
const provider = await addProvider(service, idp, { name })

const base = '/api/2/auth/saml'
const open = (path: string) => service.client('GET', path, { headers: { accept: 'text/html' } })
const post = (path: string, raw: string) =>
  service.client('POST', path, {
    raw,
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
  })
const sentenceOf = (text: string) => /<p role="alert">([\s\S]*?)<\/p>/.exec(text)?.[1]
/** Technical terms that only developers understand. */
const technicalTerms =
  /errors|resend the request|the resource|media types|the caller|Retry-After|bearer|x is not known|SAMLResponse|return_to|\b[45]\d\d\b/

describe('the SAML error page', () => {
  it.each([
    ['an unknown parameter', () => open(`${base}/${provider.id}/sso?x=1`)],
    [
      'a return address that is not allowed',
      () => open(`${base}/${provider.id}/sso?return_to=https://evil.example`),
    ],
    ['a response in the query', () => open(`${base}/${provider.id}/sso/return?SAMLResponse=x`)],
    ['a missing response', () => post(`${base}/${provider.id}/assertion`, 'x=1')],
    [
      'a response that is too large',
      () => post(`${base}/${provider.id}/assertion`, `SAMLResponse=${'x'.repeat(300_000)}`),
    ],
    ['a missing sign-out message', () => open(`${base}/${provider.id}/sls/return`)],
    ['an unsigned sign-out message', () => open(`${base}/${provider.id}/sls/return?SAMLResponse=x`)],
  ])('for %s names the provider and says what to do next', async (_, ask) => {
    const page = await ask()
    expect([400, 413]).toContain(page.status)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(sentenceOf(page.text)).toContain(shownName)
    expect(page.text).toMatch(/Go to the sign-in page|Try again/)
    expect(page.text.replaceAll(/<style>[\s\S]*?<\/style>|Request number: [\w-]+/g, '')).not.toMatch(
      technicalTerms,
    )
    expect(page.text).not.toContain('<li>')
    expect(page.text).not.toContain(name)
  })

  it('for an unknown provider offers no second attempt', async () => {
    for (const path of ['sso', 'sls/return', 'metadata']) {
      const page = await open(`${base}/2147483647/${path}`)
      expect(page.status).toBe(404)
      expect(page.text).not.toContain('Try again')
      expect(page.text).toContain('Go to the sign-in page')
      expect(page.text.replaceAll(/<style>[\s\S]*?<\/style>|Request number: [\w-]+/g, '')).not.toMatch(
        technicalTerms,
      )
    }
    const page = await open(`${base}/2147483647/sso`)
    expect(sentenceOf(page.text)).toContain('is no longer available')
    expect((await open(`${base}/99999999999999999999/sso`)).text).not.toContain('Try again')
  })

  it('for a failed sign-out warns that the user may still be signed in', async () => {
    const page = await open(`${base}/${provider.id}/sls/return`)
    expect(page.text).toContain('<h1>Sign-out failed</h1>')
    expect(sentenceOf(page.text)).toContain('you may still be signed in here')
  })

  it('names the provider even if the error message does not', async () => {
    const page = await open(`${base}/${provider.id}/sso?link=true`)
    expect(page.status).toBe(401)
    expect(sentenceOf(page.text)).toContain('Sign in here first')
    expect(page.text).toContain(`<bdi>${shownName}</bdi>`)
  })

  it('is shown even if the table does not answer', async () => {
    const down = async (): Promise<never> => Promise.reject(new Error('the table is down'))
    const services = { ...service.services, table: { ...service.services.table, get: down } }
    const problem = toProblem(new Error('the table is down'), 'the-request')
    const page = await connectionErrorPage(services)(problem, {
      rawPath: `${base}/1/sso`,
      headers: {},
    } as HttpEvent)
    const html = page?.html ?? ''
    expect(sentenceOf(html)).toContain('Something went wrong on our side. Try again in a moment')
    expect(html).toContain(`href="${base}/1/sso">Try again</a>`)
    expect(html).toContain('Request number: the-request')
  })

  it('is a problem document for clients that do not accept HTML', async () => {
    const answer = await service.client('GET', `${base}/${provider.id}/sso?x=1`)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'x' }] })
  })
})

describe('the return from a provider', () => {
  it.each(['abc', 'x'.repeat(1000), '../../users', ' '])(
    'without a started sign-in redirects to the sign-in page: %#',
    async (flow) => {
      const path = `${base}/${provider.id}/sso/return?flow=${encodeURIComponent(flow)}`
      const answer = await open(path)
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toBe(`${publicUrl}/?error=sign_in_not_finished`)
    },
  )

  it('reports a lost cookie only for a sign-in that set one', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const posted = await browser.post(target.acsUrl, (await idp.answer(target)).form)
    const onward = posted.headers.get('location') ?? ''
    const lost = await new TestBrowser(service).get(onward, 'cross-site')
    expect(lost.status).toBe(401)
    expect(sentenceOf(lost.text)).toContain('did not keep a cookie')
    expect(lost.text).toContain(shownName)
    const elsewhere = onward.replace(`/saml/${provider.id}/`, '/saml/2147483647/')
    expect((await new TestBrowser(service).get(elsewhere, 'cross-site')).status).toBe(303)
    expect((await browser.get(onward, 'cross-site')).status).toBe(303)
  })
})
