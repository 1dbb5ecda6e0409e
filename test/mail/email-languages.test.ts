import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { BrandingSettings, StoredBranding } from '../../lib/features/branding/records.ts'
import { brandingKey } from '../../lib/kernel/table/keys/keys.ts'
import type { ReceivedMail } from '../support/mailbox.ts'
import { addSharer, newAddress, shareLink } from '../support/mailed-links.ts'
import { addPerson, addSignedIn, type Person, type SignedInPerson, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const shop = 'https://shop.example.com'
const hostileName = 'Akmé\r\nBcc: eve@example.com <b>Medien</b>'
const shownName = 'Akmé Bcc: eve@example.com <b>Medien</b>'

const unset: BrandingSettings = {
  ...{ product_name: null, logo: null, accent_color: null, background_color: null },
  ...{ support_url: null, privacy_url: null, terms_url: null, texts: null },
  ...{ dark_logo: null, icon: null, corner_radius: null, sender_name: null, reply_to: null },
}
const stored: StoredBranding = {
  service: {
    ...unset,
    product_name: hostileName,
    logo: { hash: 'f00d', contentType: 'image/png', width: 400, height: 100 },
    accent_color: '#ffd500',
    support_url: 'https://akme.example/help',
  },
  products: [{ ...unset, name: 'Shop', product_name: 'Shop 本店' }],
  formerLogos: [],
  version: 1,
}

const service = await useService({
  ALLOWED_ORIGINS: `${shop},https://other.example.com`,
  LINK_URL: `https://other.example.com/, Shop=${shop}/shared/{id}`,
})
await service.services.table.transact([{ put: { ...brandingKey, ...stored } }])
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const addUser = (language: string | null): Promise<Person> =>
  addPerson(service, { email: `${randomUUID()}@example.com`, language })
const mailOf = ({ user }: Pick<Person, 'user'>): Promise<ReceivedMail> =>
  service.mailbox.mailTo(user.email ?? '')
const requestReset = async ({ user }: Person, acceptLanguage?: string): Promise<ReceivedMail> => {
  const answer = await service.client('POST', '/api/2/auth/reset-password/request', {
    body: { username: user.username },
    headers: acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage },
  })
  expect(answer.status).toBe(204)
  return mailOf({ user })
}

describe('an email', () => {
  it('is in the language that its recipient chose, even if their browser prefers another one', async () => {
    const { subject, text, html } = await requestReset(await addUser('de'), 'ja,en;q=0.8')
    expect(subject).toBe(`Neues Passwort für ${shownName} festlegen`)
    expect(text).toContain('Der Link funktioniert einmal und läuft in 30 Minuten ab.')
    expect(html).toContain('<html lang="de" dir="ltr">')
  })

  it.each([null, '', 'xx'])(
    'is in the language of the request if the recipient chose %j',
    async (language) => {
      const { subject, html } = await requestReset(await addUser(language), 'ja-JP,ja;q=0.9,en;q=0.8')
      expect(subject).toBe(`${shownName} の新しいパスワードの設定`)
      expect(html).toContain('<html lang="ja" dir="ltr">')
    },
  )

  it.each([undefined, '*', 'ko-KR', ';q=,,', '"><script>alert(1)</script>'])(
    'is in English if the request asks for %j',
    async (acceptLanguage) => {
      const { subject, html } = await requestReset(await addUser(null), acceptLanguage)
      expect(subject).toBe(`Choose a new password for ${shownName}`)
      expect(html).not.toContain('<script>')
    },
  )

  it('that an administrator causes is in the language of its recipient', async () => {
    const person = await addUser('fr')
    const headers = { 'accept-language': 'en-US,en' }
    const path = `/api/2/users/${person.user.id}/password/reset`
    expect((await service.client('POST', path, { bearer: admin.bearer, headers })).status).toBe(204)
    expect((await mailOf(person)).subject).toBe(`Choisissez un nouveau mot de passe pour ${shownName}`)
  })

  it('about a change names time, browser and advice in the language of the user', async () => {
    const person = await addUser('nb')
    const bearer = await signIn(service, person)
    const created = await service.client('POST', '/api/2/api-tokens', {
      bearer,
      body: { name: 'CI' },
      headers: {
        'accept-language': 'de',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) <b>evil</b> Gecko/20100101 Firefox/145.0',
      },
    })
    expect(created.status).toBe(201)
    const { subject, text, html } = await mailOf(person)
    expect(subject).toBe(`Et API-token ble opprettet – ${shownName}`)
    expect(text).toMatch(/\nTidspunkt: \d+\. \p{L}+ \d{4} kl\. \d\d:\d\d UTC\n/u)
    expect(text).toContain('\nFra: 127.0.0.1, Firefox på Linux\n')
    expect(text + html).not.toContain('evil')
  })

  it('shows name, logo, color and help of the product, without what could become a header or markup', async () => {
    const { subject, text, html } = await requestReset(await addUser('es'))
    expect(subject).not.toMatch(/[\r\n]/)
    expect(html).toContain(`<img src="${service.url}/logos/f00d" width="160" height="40"`)
    expect(html).toContain('background:#ffd500')
    expect(html).not.toContain('<b>Medien')
    expect(html).toContain('href="https://akme.example/help"')
    expect(text).toContain(`${shownName} · ${new URL(service.url).host}\nAyuda: https://akme.example/help\n`)
  })
})

describe('the email of an access link', () => {
  const mail = async (
    link: { id: number },
    sharer: SignedInPerson,
    acceptLanguage: string,
    body: object = {},
  ) => {
    const email = newAddress()
    const answer = await service.client('POST', `/api/2/auth/access-tokens/${link.id}/email`, {
      bearer: sharer.bearer,
      body: { email, ...body },
      headers: { 'accept-language': acceptLanguage },
    })
    expect(answer.status).toBe(204)
    return service.mailbox.mailTo(email)
  }

  it('to someone without an account is in the language of its sender', async () => {
    const sharer = await addSharer(service)
    const link = await shareLink(service, sharer)
    const { subject, text } = await mail(link, sharer, 'fr-CA, en;q=0.5', { subject: 'Élan', text: 'Salut' })
    expect(subject).toBe(`«\u00a0Grace Hopper\u00a0» (via ${shownName})\u00a0: «\u00a0Élan\u00a0»`)
    expect(text).toContain('«\u00a0Grace Hopper\u00a0» écrit\u00a0:\n\n> Salut\n')
  })

  it('to a user is in the language of the user', async () => {
    const sharer = await addSharer(service)
    const { user } = await addUser('de')
    const link = await shareLink(service, sharer, { user: user.id })
    expect((await mail(link, sharer, 'fr')).subject).toBe('„Grace Hopper“ hat etwas mit Ihnen geteilt')
  })

  it('comes from the product that the link leads to', async () => {
    const sharer = await addSharer(service)
    const link = await shareLink(service, sharer, { url: '/link?product=Shop' })
    const { subject, html } = await mail(link, sharer, 'ja', { subject: '写真' })
    expect(subject).toBe('「Grace Hopper」（Shop 本店 経由）：「写真」')
    expect(html).toContain('alt="Shop 本店"')
    const other = await shareLink(service, sharer)
    expect((await mail(other, sharer, 'ja', { subject: '写真' })).subject).toContain(shownName)
  })

  it.each(['Shop 本店', 'shop本店 サポート', 'Sh\u043ep'])(
    'names the account of a sender who is called %s',
    async (fullName) => {
      const sharer = await addSharer(service, { full_name: fullName })
      const link = await shareLink(service, sharer, { url: '/link?product=Shop' })
      const { subject, text } = await mail(link, sharer, 'en', { subject: 'Your account' })
      expect(subject).toBe(`“${sharer.user.email?.slice(0, 60)}” (via Shop 本店): “Your account”`)
      expect(text).not.toContain(`${fullName}” shared`)
    },
  )
})
