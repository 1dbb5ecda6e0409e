import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addSharer, mailLink, newAddress, shareLink } from '../support/mailed-links.ts'
import { addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Administrators whose session was stolen, and others who want to put their words into emails of the service. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const asAdmin = callAs(service, admin)
const path = 'branding/email-texts/service/password_reset/en'
const good = { subject: 'Hello', body: 'Hello {username}\n\n[Choose]({link})' }

const tryBody = (line: string) =>
  asAdmin('POST', `${path}/preview`, { ...good, body: `${line}\n\n[Choose]({link})` })
const trySubject = (subject: unknown) => asAdmin('POST', `${path}/preview`, { ...good, subject })

describe('own words of emails refuse', () => {
  it.each([
    ['a script', '<script>alert(1)</script>', 'has HTML'],
    ['an image', 'Hi <img src=x onerror=alert(1)>', 'has HTML'],
    ['a comment', '<!-- x -->', 'has HTML'],
    ['a style', '<p style="display:none">x</p>', 'has HTML'],
    ['a closing tag', '</td></tr></table>', 'has HTML'],
    ['a script as a link', '[x](javascript:alert(1))', 'has a link that'],
    ['a script as a short link', '[x](javascript:alert)', 'addresses begin with https://'],
    ['data as a link', '[x](data:text/html,x)', 'addresses begin with https://'],
    ['a link without TLS', '[x](http://shop.example.com)', 'addresses begin with https://'],
    ['another domain', '[Choose](https://evil.example/x)', 'has a link to “evil.example”. Allowed are'],
    ['the own domain as a user', '[x](https://localhost@evil.example/)', 'addresses begin with https://'],
    ['the own domain as a label', '[x](https://localhost.evil.example/)', 'has a link to'],
    ['a backslash', '[x](https://localhost\\.evil.example/)', 'addresses begin with https://'],
    ['another port', '[x](https://localhost:8443/)', 'addresses begin with https://'],
    ['a relative address', '[x](//evil.example)', 'addresses begin with https://'],
    ['a link that nobody sees', '[ ](https://localhost/)', 'label that can be seen'],
    ['a link of a point', '[.](https://localhost/)', 'label that can be seen'],
    ['a label with a value', '[{username}](https://localhost/)', 'in a label'],
    ['a link of a value', '[x](https://{username}/)', 'that is not allowed'],
    ['an address as text', 'Go to https://evil.example/reset', '“evil.example”'],
    ['a bare domain', 'Go to evil.example now', '“evil.example”'],
    ['a domain in two parts', 'Go to evil.**example** now', '“evil.example”'],
    ['a domain in full width', 'Go to evil．example now', '“evil.example”'],
    ['a domain of a value', 'Go to {host}.evil now', '“xx.evil”'],
    ['a domain after the own one', 'Go to localhost.evil.example', '“localhost.evil.example”'],
    ['a domain with other letters', 'Go to аcme.example', '“аcme.example”'],
    ['an address of email', 'Write to help@evil.example', '“evil.example”'],
    ['another scheme', 'Open ftp://localhost/x', '“ftp://localhost/x”'],
    ['a network address', 'Open 203.0.113.9 now', '“203.0.113.9”'],
    ['reversed text', 'Hi \u202egpj.exe', 'invisible'],
    ['a character without width', 'ev\u200bil', 'invisible'],
    ['a soft hyphen', 'ev\u00adil', 'invisible'],
    ['a filler', 'ev\u3164il', 'invisible'],
    ['a null', 'a\u0000b', 'invisible'],
    ['an unknown variable', 'Hi {password}', 'has the unknown variable {password}. Emails of this kind have'],
    ['a variable of all objects', 'Hi {__proto__}', 'has the unknown variable'],
    ['a function of all objects', 'Hi {constructor}', 'has the unknown variable'],
    ['a variable of another kind', 'Hi {organization}', 'has the unknown variable'],
    ['the token inside a line', 'Send us {link} please', 'stands alone'],
    ['the token in another address', '[x](https://localhost/?to={link})', 'that is not allowed'],
    ['a single brace', 'Hi {username', 'single brace'],
    ['open bold text', 'Hi **you', 'does not end it'],
  ])('%s', async (_, line, message) => {
    const { status, body } = await tryBody(line)
    expect(status).toBe(400)
    const messages = body.errors.map((one: { message: string }) => one.message)
    expect(messages.join('\n')).toContain(message)
    expect(messages[0]).toMatch(/^line 1: /)
    expect(body.errors[0].field).toBe('body')
  })

  it('a wrong line, and name it', async () => {
    const { body } = await asAdmin('PUT', path, {
      ...good,
      body: 'One\n\n\nHi {nobody}\n[x](https://evil.example)\n[Choose]({link})',
    })
    expect(body.errors.map(({ message }: { message: string }) => message.slice(0, 7))).toEqual([
      'line 4:',
      'line 5:',
    ])
  })

  it.each([
    ['no link', 'Hello'],
    ['two links', '[a]({link})\n[b]({link})'],
    ['a code instead', '{code}'],
    ['a link without words', '[ ]({link})'],
    ['a link with a value', '[{username}]({link})'],
    ['a link named like another domain', '[evil.example]({link})'],
  ])('%s', async (_, body) => {
    expect((await asAdmin('PUT', path, { ...good, body })).status).toBe(400)
  })

  it.each([
    ['a header', 'Hello\r\nBcc: eve@evil.example'],
    ['a line break', 'Hello\nthere'],
    ['a separator of lines', 'Hello\u2028there'],
    ['nothing', ' '],
    ['nothing at all', ''],
    ['null', null],
    ['a long text', 'x'.repeat(151)],
    ['another domain', 'Go to evil.example'],
    ['an unknown variable', '{link}'],
    ['HTML', '<b>x</b>'],
    ['a number', 1],
    ['a list', ['x']],
  ])('%s as a subject', async (_, subject) => {
    const { status, body } = await trySubject(subject)
    expect(status, JSON.stringify(body)).toBe(400)
  })

  it('a huge text at once', async () => {
    for (const line of [
      'x'.repeat(30_000),
      '[x]('.repeat(5000),
      '{'.repeat(16_000),
      '*'.repeat(16_000),
      'a.'.repeat(8000),
      '['.repeat(16_000),
    ]) {
      const start = performance.now()
      expect([200, 400]).toContain((await tryBody(line)).status)
      expect(performance.now() - start).toBeLessThan(5000)
    }
    expect((await tryBody('x'.repeat(400_000))).status).toBe(413)
  })

  it.each(['__proto__', 'constructor', 'security_notice', 'owner_notice', 'saml_setup', 'PASSWORD_RESET'])(
    'the kind %s',
    async (kind) => {
      const answer = await asAdmin('PUT', `branding/email-texts/service/${encodeURIComponent(kind)}/en`, good)
      expect(answer.status).toBe(404)
    },
  )

  it.each(['__proto__', 'xx', 'EN', 'toString'])('the language %s', async (language) => {
    expect(
      (await asAdmin('PUT', `branding/email-texts/service/password_reset/${language}`, good)).status,
    ).toBe(404)
  })

  it.each([
    '__proto__',
    'product:',
    'product:Nobody',
    'product:__proto__',
    'organization:0',
    'organization:99999',
    'organization:1e3',
    'organization:9999999999',
    'user:1',
    'service#x',
  ])('the owner %s', async (owner) => {
    const target = `branding/email-texts/${encodeURIComponent(owner)}`
    expect((await asAdmin('GET', target)).status).toBe(404)
    expect((await asAdmin('PUT', `${target}/organization_invitation/en`, good)).status).toBe(404)
  })

  it('values of unknown names, long ones and a prototype', async () => {
    for (const values of ['{"link":"x"}', '{"product":"x"}', `{"username":"${'x'.repeat(201)}"}`]) {
      const answer = await asAdmin('POST', `${path}/preview`, { ...good, values: JSON.parse(values) })
      expect(answer.status, values).toBe(400)
    }
  })

  it('an organization the emails of others', async () => {
    const { id } = await addOrganization(service, admin)
    for (const kind of ['password_reset', 'sign_in_code', 'access_link'])
      expect((await asAdmin('PUT', `branding/email-texts/organization:${id}/${kind}/en`, good)).status).toBe(
        404,
      )
  })
})

describe('a sender of an access link', () => {
  it('stays in the frame of their message, and under their account', async () => {
    const words = { subject: null, body: 'From {sender} ({account}):\n\n[Open it]({link})' }
    const saved = await asAdmin('PUT', 'branding/email-texts/service/access_link/en', words)
    expect(saved.status, saved.text).toBe(200)
    const sharer = await addSharer(service, { full_name: '[Acme](https://evil.example) **x** {link}' })
    const email = newAddress()
    const link = await shareLink(service, sharer, { email })
    const text = '[Click](https://evil.example) **x** {link} <b>x</b>'
    expect((await mailLink(service, sharer, link.id, { text })).status).toBe(204)
    const mail = await service.mailbox.mailTo(email)
    expect(mail.text).toContain('Open it\nhttp')
    expect(mail.text).toContain(`> ${text}`)
    expect(mail.text).toContain(`(“${sharer.user.email}”):`)
    expect(mail.html).not.toContain('href="https://evil')
    expect(mail.html).not.toContain('<b>x')
    expect(mail.html.match(/<a /g)).toHaveLength(1)
  })
})

describe('values in own words', () => {
  it.each([
    '</p></td><script>alert(1)</script>',
    '[Click](https://evil.example)',
    '**bold** {link} {host}',
    'a\r\nBcc: eve@evil.example',
    '”\u202e\u200b=?utf-8?q?x?=',
    '$& $1 $`',
  ])('stay text: %s', async (username) => {
    const words = { subject: 'For {username}', body: 'Hello **{username}**\n\n[Choose]({link})' }
    const { status, body } = await asAdmin('POST', `${path}/preview`, { ...words, values: { username } })
    expect(status).toBe(200)
    expect(body.subject).not.toMatch(/[\r\n\u202e\u200b]|=\?/)
    expect(body.html).not.toContain('<script')
    expect(body.html.match(/<a /g)).toHaveLength(1)
    expect(body.html).not.toContain('href="https://evil')
    expect(body.text).toContain('Hello “')
  })
})

describe('those who may not', () => {
  it('change nothing, see nothing and send nothing', async () => {
    const organization = await addOrganization(service, admin)
    const user = await addSignedIn(service)
    const manager = await addSignedIn(service, { permissions: ['users:manage'] })
    for (const person of [user, manager, organization.owner])
      for (const owner of ['service', `organization:${organization.id}`]) {
        const call = callAs(service, person)
        const target = `branding/email-texts/${owner}`
        const text = `${target}/organization_invitation/en`
        expect((await call('GET', target)).status).toBe(403)
        expect((await call('GET', text)).status).toBe(403)
        expect((await call('PUT', text, good)).status).toBe(403)
        expect((await call('DELETE', text)).status).toBe(403)
        expect((await call('POST', `${text}/preview`, good)).status).toBe(403)
        expect((await call('POST', `${text}/test`, good)).status).toBe(403)
      }
    expect((await service.client('PUT', `/api/2/${path}`, { body: good })).status).toBe(401)
  })

  it('cannot use an API token, even that of an administrator', async () => {
    const { body, status, text } = await asAdmin('POST', 'api-tokens', { name: 'Build' })
    expect(status, text).toBe(201)
    const change = await service.client('PUT', `/api/2/${path}`, { bearer: body.token, body: good })
    expect(change.status).toBe(403)
  })

  it('need a verified address for a test, of which there are a few', async () => {
    const unverified = await addSignedIn(service, {
      permissions: ['system:admin-access'],
      email: `${randomUUID()}@example.com`,
      emailVerified: false,
    })
    expect((await callAs(service, unverified)('POST', `${path}/test`, good)).status).toBe(409)
    const tester = await addSignedIn(service, {
      permissions: ['system:admin-access'],
      email: `${randomUUID()}@example.com`,
    })
    const statuses: number[] = []
    for (let at = 0; at < 22; at++)
      statuses.push((await callAs(service, tester)('POST', `${path}/test`, good)).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 204), 429, 429])
  })
})

describe('a hundred changes at once', () => {
  it('of one version let exactly one through', async () => {
    const target = 'branding/email-texts/service/sign_up/en'
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        asAdmin('PUT', target, { subject: `Try ${at}`, body: '[Go]({link})', version: 0 }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(new Set(statuses)).toEqual(new Set([200, 409]))
    const { body } = await asAdmin('GET', target)
    expect(body.version).toBe(1)
    expect((await asAdmin('PUT', target, { subject: 'Late', body: '[Go]({link})', version: 0 })).status).toBe(
      409,
    )
  })
})
