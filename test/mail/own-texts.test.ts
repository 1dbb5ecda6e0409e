import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { brandingCacheMs } from '../../lib/kernel/limits/limits.ts'
import { brandingKey, emailTextKey } from '../../lib/kernel/table/keys/keys.ts'
import type { ReceivedMail } from '../support/mailbox.ts'
import { addSharer, mailLink, newAddress, shareLink } from '../support/mailed-links.ts'
import { addOrganization, inviteMember, newPersonAddress } from '../support/organization-invitations.ts'
import { addPerson, addSignedIn, callAs, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => vi.useRealTimers())

const shop = 'https://shop.example.com'
const service = await useService({
  RATE_LIMITS: 'resetRequestsPerAddress=1000/60',
  ALLOWED_ORIGINS: `${shop},https://other.example.com`,
  LINK_URL: `https://other.example.com/, Shop=${shop}/shared/{id}`,
})
const { table } = service.services
const host = new URL(service.services.config.publicUrl).host
const admin = await addSignedIn(service, {
  permissions: ['system:admin-access'],
  email: `admin-${randomUUID()}@example.com`,
})
const asAdmin = callAs(service, admin)

const pathOf = (kind: string, language = 'en', owner = 'service') =>
  `branding/email-texts/${encodeURIComponent(owner)}/${kind}/${language}`
const save = async (path: string, body: object) => {
  const answer = await asAdmin('PUT', path, body)
  expect(answer.status, answer.text).toBe(200)
  // Emails show a change after this time.
  vi.setSystemTime(Date.now() + brandingCacheMs + 1)
  return answer.body
}
const resetWords = {
  subject: 'Choose a password for {product}',
  body: 'Hello {username},\n\n## What now?\nSomeone asked for a **new** password at {host}.\n\n- Open the link\n- Choose\n\n[Choose it now]({link})\n\nSee [our help](https://shop.example.com/help).',
}

const addUser = (language: string | null = null): Promise<Person> =>
  addPerson(service, { email: `${randomUUID()}@example.com`, language })
const requestReset = async ({ user }: Person): Promise<ReceivedMail> => {
  const answer = await service.client('POST', '/api/2/auth/reset-password/request', {
    body: { username: user.username },
  })
  expect(answer.status).toBe(204)
  return service.mailbox.mailTo(user.email)
}

afterEach(async () => {
  for (const language of ['en', 'de']) await asAdmin('DELETE', pathOf('password_reset', language))
  vi.setSystemTime(Date.now() + brandingCacheMs + 1)
})

describe('own words of an email', () => {
  it('are in the email, with the link that works, and with what the service always says', async () => {
    await save(pathOf('password_reset'), resetWords)
    const person = await addUser()
    const { subject, text, html } = await requestReset(person)
    expect(subject).toBe('Choose a password for Latchkey')
    expect(text).toContain(`Hello “${person.user.username}”,`)
    expect(text).toContain(`Someone asked for a new password at ${host}.\n\n- Open the link\n- Choose`)
    expect(text).toMatch(/Choose it now\nhttp\S+\/reset#token=\S{20}/)
    expect(text).toContain('our help (https://shop.example.com/help)')
    expect(text).toContain('The link works once and expires in 30 minutes.')
    expect(text).toContain('If you did not request this')
    expect(text).not.toContain('To choose a new password, open this link')
    expect(html).toContain('<strong>new</strong>')
    expect(html).toContain('href="https://shop.example.com/help"')
    expect(html).toMatch(/<h1[^>]*>Choose a password for Latchkey<\/h1>/)
  })

  it('are only for readers of their language', async () => {
    await save(pathOf('password_reset', 'de'), { ...resetWords, subject: 'Passwort bei {product}' })
    expect((await requestReset(await addUser('de'))).subject).toBe('Passwort bei Latchkey')
    expect((await requestReset(await addUser('en'))).subject).toBe('Choose a new password for Latchkey')
    expect((await requestReset(await addUser('ja'))).subject).toContain('新しいパスワード')
  })

  it('end with a reset, and can be restored from their history', async () => {
    await save(pathOf('password_reset'), resetWords)
    expect((await asAdmin('DELETE', pathOf('password_reset'))).status).toBe(204)
    vi.setSystemTime(Date.now() + brandingCacheMs + 1)
    expect((await requestReset(await addUser())).subject).toBe('Choose a new password for Latchkey')
    const { body } = await asAdmin('GET', pathOf('password_reset'))
    expect(body).toMatchObject({ subject: null, body: null })
    const [last, before] = body.versions
    expect(last).toMatchObject({ version: body.version, body: null, changed_by: admin.user.id })
    expect(before).toMatchObject(resetWords)
    await save(pathOf('password_reset'), {
      subject: before.subject,
      body: before.body,
      version: body.version,
    })
    expect((await requestReset(await addUser())).subject).toBe('Choose a password for Latchkey')
  })

  it('keep the ten newest versions', async () => {
    for (let at = 0; at < 12; at++)
      await save(pathOf('sign_up'), { subject: `Try ${at}`, body: '[Go on]({link})' })
    const { body } = await asAdmin('GET', pathOf('sign_up'))
    expect(body.versions.map(({ subject }: { subject: string }) => subject)).toEqual(
      Array.from({ length: 10 }, (_, at) => `Try ${11 - at}`),
    )
  })

  it('are listed with their variables', async () => {
    await save(pathOf('password_reset', 'de'), resetWords)
    const { body } = await asAdmin('GET', 'branding/email-texts/service')
    expect(body).toContainEqual(
      expect.objectContaining({
        kind: 'password_reset',
        variables: ['product', 'host', 'username'],
        action: 'link',
        languages: ['de'],
      }),
    )
    const ofShop = await asAdmin('GET', `branding/email-texts/${encodeURIComponent('product:Shop')}`)
    expect(ofShop.body.map(({ kind }: { kind: string }) => kind)).toEqual(['access_link'])
  })

  it('leave an event with their name', async () => {
    await save(pathOf('password_reset'), resetWords)
    const events = await asAdmin('GET', `auth/audit-events?actor=${admin.user.id}&limit=5`)
    expect(events.body).toContainEqual(
      expect.objectContaining({ event: 'branding.changed', target: 'service email_texts.password_reset.en' }),
    )
  })

  it('are previewed with chosen values, and sent to nobody', async () => {
    const sent = service.mailbox.mails.length
    const { status, body, text } = await asAdmin('POST', `${pathOf('password_reset')}/preview`, {
      ...resetWords,
      values: { username: '<b>Eve</b>' },
    })
    expect(status, text).toBe(200)
    expect(body.text).toContain('Hello “<b>Eve</b>”,')
    expect(body.html).toContain('&lt;b&gt;Eve&lt;/b&gt;')
    expect(body.html).not.toContain('<b>Eve')
    expect(service.mailbox.mails.length).toBe(sent)
  })

  it('are previewed for every kind', async () => {
    const { body } = await asAdmin('GET', 'branding/email-texts/service')
    for (const { kind, variables, action, has_subject } of body) {
      const words = {
        subject: has_subject ? 'Hello {product}' : null,
        body: `${variables.map((one: string) => `{${one}}`).join(' and ')}\n\n${action === 'link' ? '[Do it]({link})' : '{code}'}`,
      }
      const answer = await asAdmin('POST', `${pathOf(kind, 'ar')}/preview`, words)
      expect(answer.status, answer.text).toBe(200)
      if (has_subject) expect(answer.body.subject).toBe('Hello Latchkey')
      expect(answer.body.html).toContain('dir="rtl"')
      expect(answer.body.text).toMatch(action === 'link' ? /Do it\nhttp/ : /1234 5678/)
    }
  })

  it('are sent to the administrator who tries them, and to nobody else', async () => {
    const answer = await asAdmin('POST', `${pathOf('sign_in_code', 'fr')}/test`, {
      subject: 'Essai',
      body: 'Bonjour {username} :\n{code}',
    })
    expect(answer.status, answer.text).toBe(204)
    const mail = await service.mailbox.mailTo(admin.user.email, ({ subject }) => subject === 'Essai')
    expect(mail.to).toEqual([admin.user.email])
    expect(mail.text).toContain('1234 5678')
  })

  it('of a product are in its emails alone, and never change their subject', async () => {
    await save(pathOf('access_link', 'en', 'product:Shop'), {
      subject: null,
      body: 'From {sender} ({account}) by the shop.\n\n[Open the film]({link})',
    })
    const sharer = await addSharer(service)
    const mails = []
    for (const page of ['/link?product=Shop', '/link']) {
      const email = newAddress()
      const link = await shareLink(service, sharer, { email, url: page })
      const sent = await mailLink(service, sharer, link.id, { text: 'Look at [this](https://evil.example)' })
      expect(sent.status, sent.text).toBe(204)
      mails.push(await service.mailbox.mailTo(email))
    }
    const [ofShop, ofOther] = mails
    expect(ofShop?.text).toContain('by the shop')
    expect(ofShop?.text).toContain('> Look at [this](https://evil.example)')
    expect(ofShop?.html).not.toContain('href="https://evil.example')
    expect(ofShop?.subject).toMatch(/^“Grace Hopper” shared/)
    expect(ofOther?.text).not.toContain('by the shop')
  })

  it('of an organization are in its invitations alone', async () => {
    const [acme, other] = [await addOrganization(service, admin), await addOrganization(service, admin)]
    await save(pathOf('organization_invitation', 'en', `organization:${acme.id}`), {
      subject: 'Come to us',
      body: '{inviter} wants you at {organization}.\n\n[Join]({link})',
    })
    const [one, two] = [newPersonAddress(), newPersonAddress()]
    await inviteMember(service, acme, acme.owner, { email: one })
    await inviteMember(service, other, other.owner, { email: two })
    expect((await service.mailbox.mailTo(one)).subject).toBe('Come to us')
    expect((await service.mailbox.mailTo(two)).subject).toMatch(/^Invitation to/)
  })

  it('that the rules refuse now do not keep an email from being sent', async () => {
    await save(pathOf('password_reset'), resetWords)
    for (const stored of [
      { ...resetWords, body: 'Hello {former_name}\n\n[x]({link})' },
      { ...resetWords, body: 'See [us](https://sold.example)\n\n[Choose]({link})' },
      { subject: null, body: 'nothing' },
      { body: 1 },
    ]) {
      await table.transact([
        {
          put: {
            ...emailTextKey('service', 'password_reset#en'),
            kind: 'password_reset',
            language: 'en',
            ...stored,
          },
        },
      ])
      const { subject, text } = await requestReset(await addUser())
      expect(subject).toBe('Choose a new password for Latchkey')
      expect(text).toContain('To choose a new password, open this link')
    }
  })

  it('cost no call to the table where there are none', async () => {
    await table.transact([{ delete: brandingKey }])
    vi.setSystemTime(Date.now() + brandingCacheMs + 1)
    const getMany = vi.spyOn(table, 'getMany')
    await requestReset(await addUser())
    const keys = getMany.mock.calls.flat(2).map(({ pk }) => pk)
    expect(keys.filter((pk) => pk.startsWith('email-text#'))).toEqual([])
    getMany.mockRestore()
  })
})
