import { afterEach, describe, expect, it } from 'vitest'
import { findFreePort } from '../../../local/ports.ts'
import { closeAfterTests } from '../../support/close-after-tests.ts'
import { type Change, idsOf, onPath, setBody, startChangingService } from './changing-service.ts'

const running = closeAfterTests(await startChangingService())
afterEach(() => running.setChange(() => {}))

describe('a service that works', () => {
  it('passes all checks from outside, and nothing remains of what they created', async () => {
    const results = await running.verify()
    expect(results.filter(({ status }) => status === 'failed')).toEqual([])
    const inside = idsOf(
      results.filter(({ area }) => area === 'inside'),
      'skipped',
    )
    expect(idsOf(results, 'skipped')).toEqual(['dns', 'certificate', 'http', ...inside])
    expect(results.find(({ id }) => id === 'lists')?.detail).toBe(
      '11 of 11 lists answered, so wholeTableGrants is not needed.',
    )
    expect(running.service.mailbox.mails.some(({ to }) => to.includes('ops@example.com'))).toBe(true)
    expect(await running.findRemaining()).toEqual([])
  })

  it('skips everything that needs an administrator without a token', async () => {
    const results = await running.verify({ token: undefined })
    expect(idsOf(results, 'failed')).toEqual([])
    expect(results.filter(({ area, status }) => area === 'signed in' && status !== 'skipped')).toEqual([])
  })

  it('creates and deletes a user with an API token, which cannot set a password', async () => {
    const options = { bearer: running.admin, body: { name: 'verify' } }
    const { body: created } = await running.service.client('POST', '/api/2/api-tokens', options)
    const results = await running.verify({ token: created.token })
    expect(idsOf(results, 'failed')).toEqual([])
    expect(idsOf(results, 'ok')).toEqual(expect.arrayContaining(['user', 'ticket', 'jwt', 'clean-up']))
    expect(results.find(({ id }) => id === 'sign-in')).toMatchObject({ status: 'skipped' })
    expect(await running.findRemaining()).toEqual([])
  })
})

describe('a service with a problem', () => {
  const json = { 'content-type': 'application/json' }
  let isTicketUsed = false
  const problems: readonly (readonly [string, Change, readonly string[], string])[] = [
    [
      'another issuer',
      onPath(/openid-configuration/, (answer) => {
        answer.body = answer.body.replace(/"issuer":"[^"]*"/, '"issuer":"https://other.example.com"')
      }),
      ['issuer'],
      'The issuer is https://other.example.com',
    ],
    [
      'an endpoint elsewhere',
      onPath(/openid-configuration/, (answer) => {
        answer.body = answer.body.replace(/"token_endpoint":"[^"]*"/, '"token_endpoint":"http://x.example/"')
      }),
      ['issuer'],
      'token_endpoint leads to http://x.example/',
    ],
    ['no public keys', onPath(/jwks/, setBody({ keys: [] })), ['jwks', 'jwt'], 'There is no key of RS256'],
    [
      'a private key among the public ones',
      onPath(/jwks/, (answer) => {
        answer.body = answer.body.replace('"kty"', '"d":"AQAB","kty"')
      }),
      ['jwks'],
      'The key set contains a private key.',
    ],
    [
      'a firewall that blocks redirects to this machine',
      onPath(/authorize.*127\.0\.0\.1/, (answer) => {
        answer.status = 403
        answer.headers.delete('x-request-id')
        answer.body = '<html>Request blocked.</html>'
      }),
      ['front-door'],
      'Another server answered a redirect to a native app with 403',
    ],
    [
      'a clock that differs from that of this machine',
      (_, { headers }) => headers.set('date', new Date(Date.now() - 300_000).toUTCString()),
      ['clock'],
      'seconds ahead of the service',
    ],
    [
      'pages without a content security policy',
      onPath(/^GET \/$/, ({ headers }) => headers.delete('content-security-policy')),
      ['headers'],
      'Content-Security-Policy',
    ],
    [
      'a proxy that changes paths of scripts',
      onPath(/assets\/js/, (answer) => {
        answer.status = 404
      }),
      ['page'],
      'was answered with 404',
    ],
    [
      'tickets that cannot be checked',
      onPath(/ticket\/check/, (answer) => {
        if (answer.status === 200) answer.status = 500
      }),
      ['ticket'],
      'The answer was 500',
    ],
    [
      'tickets that work twice',
      onPath(/ticket\/check/, (answer) => {
        // A ticket of the wrong length is invalid, and not used.
        if (answer.status === 404 && isTicketUsed) answer.status = 200
        isTicketUsed ||= answer.status === 200
      }),
      ['ticket'],
      'For the second exchange',
    ],
    [
      'SAML metadata that is no XML',
      onPath(/\d\/metadata/, (answer) => {
        answer.body = answer.body.slice(0, 200)
      }),
      ['saml'],
      'The XML',
    ],
    [
      'SAML metadata of another address',
      onPath(/\d\/metadata/, (answer) => {
        answer.body = answer.body.replaceAll('http://127.0.0.1', 'http://other.example.com')
      }),
      ['saml'],
      'Assertions would go to http://other.example.com',
    ],
    [
      'a list that DynamoDB refuses',
      onPath(/\/groups\?/, (answer) => {
        answer.status = 500
      }),
      ['lists'],
      'The service failed to list groups.',
    ],
    [
      'a part that does not work',
      onPath(/deep=true/, (answer) => {
        answer.status = 503
        answer.body = answer.body.replace('"name":"vault","status":"ok"', '"name":"vault","status":"failing"')
      }),
      ['parts'],
      'Not working: vault.',
    ],
    [
      'SES that refuses the email',
      onPath(/\/email$/, (answer) => {
        answer.status = 502
        answer.headers.set('content-type', json['content-type'])
        answer.body = '{"code":"upstream_failed"}'
      }),
      ['mail'],
      '502 (upstream_failed)',
    ],
    [
      'sign-ins with any password',
      onPath(/auth\/login/, (answer) => {
        answer.status = 200
      }),
      ['sign-in'],
      'For a wrong password',
    ],
  ]
  it.each(problems)('is found: %s', async (_, given, ids, sentence) => {
    running.setChange(given)
    const results = await running.verify()
    expect(idsOf(results, 'failed')).toEqual(ids)
    const found = results.find(({ id }) => id === ids[0])
    expect(found?.detail).toContain(sentence)
    expect(found?.advice).toMatch(/\.$/)
    running.setChange(() => {})
    expect(await running.findRemaining()).toEqual([])
  })

  it('is found with all of its problems at the same time', async () => {
    running.setChange((request, answer) => {
      for (const [, change] of problems) change(request, answer)
    })
    const failed = idsOf(await running.verify(), 'failed')
    expect([...failed].sort()).toEqual([...new Set(problems.flatMap(([, , ids]) => ids))].sort())
    expect(failed.length).toBeGreaterThanOrEqual(10)
  })

  it('is found although nothing answers at all', async () => {
    const results = await running.verify({ url: `http://127.0.0.1:${await findFreePort()}` })
    const asked = results.filter(({ area }) => area !== 'inside').length
    expect(idsOf(results, 'ok')).toEqual([])
    expect(idsOf(results, 'failed').length).toBeGreaterThan(asked / 2)
    expect(results.find(({ id }) => id === 'health')?.detail).toContain('ECONNREFUSED')
  })

  it.each<[string, Change, string]>([
    ['larger than the memory', onPath(/openid-conf/, setBody('x'.repeat(9_000_000))), 'larger than 8 MB'],
    [
      'a page of a network',
      onPath(/openid-conf/, (answer) => {
        answer.headers.delete('x-request-id')
        answer.headers.set('content-type', 'text/html')
        answer.body = '<html>Sign in to the network</html>'
      }),
      'The answer was 200 with a web page that is not from Latchkey.',
    ],
    ['a list', onPath(/openid-conf/, setBody([])), 'does not have the expected content'],
    ['half of one', onPath(/openid-conf/, () => 'hang'), 'There was no result within'],
    ['no answer at all', onPath(/openid-conf/, () => 'break'), 'The check could not be completed'],
  ])('is found if an answer is %s', async (_, change, sentence) => {
    running.setChange(change)
    const results = await running.verify({ token: undefined }, { checkMs: 5000 })
    expect(idsOf(results, 'failed')).toEqual(['issuer'])
    expect(results.find(({ id }) => id === 'issuer')?.detail).toContain(sentence)
  })

  it('is found although nothing answers in time, and what was created is deleted', async () => {
    running.setChange(onPath(/^POST .*auth\/ticket$/, () => 'hang'))
    const results = await running.verify({}, { signal: AbortSignal.timeout(3000) })
    const late = results.filter(({ detail }) => detail === 'The time for all checks was over.')
    expect(late.map(({ id }) => id)).toEqual(expect.arrayContaining(['ticket', 'mail']))
    expect(idsOf(results, 'failed')).toEqual(late.map(({ id }) => id))
    expect(await running.findRemaining()).toEqual([])
  })
})
