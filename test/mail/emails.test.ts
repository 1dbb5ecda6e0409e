import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { type Branding, defaultBranding } from '../../lib/features/branding/brand.models.ts'
import { renderCertificateEmail } from '../../lib/features/mail/certificate-email.ts'
import { renderSignInCodeEmail } from '../../lib/features/mail/code-email.ts'
import { renderConfirmationEmail } from '../../lib/features/mail/confirmation-email.ts'
import type { Envelope } from '../../lib/features/mail/email.ts'
import { renderInvitationEmail } from '../../lib/features/mail/invitation-email.ts'
import { type LinkEmailDetails, renderLinkEmail } from '../../lib/features/mail/link-email.ts'
import { renderResetEmail } from '../../lib/features/mail/reset-email.ts'
import { renderSecurityNoticeEmail } from '../../lib/features/mail/security-notice-email.ts'
import { loadEmailMessages } from '../../lib/features/mail/translate.ts'
import { languages } from '../../lib/kernel/i18n/languages.ts'
import { emailPreviews } from '../../local/previews/emails.ts'

await Promise.all(languages.map(loadEmailMessages))

const publicUrl = 'https://auth.example.com'
const day = 24 * 60 * 60_000
const nowMs = Date.UTC(2026, 0, 31)

const createEnvelope = (parts: Partial<Envelope> = {}): Envelope => ({
  to: 'ann@example.com',
  language: 'en',
  branding: defaultBranding,
  publicUrl,
  ...parts,
})

const acme: Branding = {
  product_name: 'Acme <Media> "Library"',
  logo: { hash: 'a1b2', contentType: 'image/png', width: 800, height: 200 },
  accent_color: '#ffd500',
  background_color: '#fff7e0',
  support_url: 'https://acme.example/help?a=1&b=2',
  privacy_url: 'https://acme.example/privacy',
  terms_url: null,
  ...{ dark_logo: null, icon: null, corner_radius: 'medium', sender_name: null, reply_to: null, texts: [] },
}

const buildLinkEmail = (details: Partial<LinkEmailDetails> = {}, envelope: Partial<Envelope> = {}) =>
  renderLinkEmail(createEnvelope(envelope), {
    sender: { name: 'Grace', account: 'grace@example.com' },
    subject: undefined,
    text: undefined,
    objects: ['Holiday'],
    url: `${publicUrl}/link#token=lka_x`,
    expiresAt: null,
    viewsLeft: null,
    requiresPassword: false,
    requiresSignIn: false,
    ...details,
  })

const buildCertificateEmail = (details: Partial<Parameters<typeof renderCertificateEmail>[1]> = {}) =>
  renderCertificateEmail(createEnvelope(), {
    providerUrl: `${publicUrl}/admin#/connections/saml/7`,
    providerId: 7,
    providerName: 'Okta',
    side: 'idp',
    endsAt: nowMs + 30 * day,
    nowMs,
    ...details,
  })

describe('the email with an access link', () => {
  it('says who can open the link without contradicting itself', () => {
    expect(buildLinkEmail().text).toContain('Anyone with this link can open it. Don’t share it.')
    const withPassword = buildLinkEmail({ requiresPassword: true }).text
    expect(withPassword).toContain('Anyone with this link and its password can open it. Don’t share them.')
    expect(withPassword).not.toContain('Anyone with this link can')
    for (const requiresPassword of [true, false])
      expect(buildLinkEmail({ requiresSignIn: true, requiresPassword }).text).not.toContain('Anyone')
  })

  it('quotes what the sender wrote with its indentation, in HTML and in text', () => {
    const { html, text } = buildLinkEmail({ text: 'List:\n  - one\n\t- two' })
    expect(text).toContain('> List:\n>   - one\n> \t- two')
    const [, style = '', quote = ''] = /<blockquote([^>]*)>([\s\S]*?)<\/blockquote>/.exec(html) ?? []
    expect(style).toContain('white-space:pre-wrap')
    // White space around the quote would be visible.
    expect(quote).toBe('List:<br>  - one<br>\t- two')
  })

  it.each([
    ['Latchkey', 'Latchkey'],
    ['L A T C H K E Y', 'Latchkey'],
    ['Lätchkey-Support', 'Latchkey'],
    ['\u{1d40b}atchkey support', 'Latchkey'],
    ['The Acme team', 'Acme'],
    ['Ａｃｍｅ', 'Acme'],
  ])('shows the account of a sender who is called %s like the product', (name, productName) => {
    const { subject, text } = buildLinkEmail(
      { sender: { name, account: 'eve@example.com' }, subject: 'Your password has expired' },
      { branding: { ...defaultBranding, product_name: productName } },
    )
    expect(subject).toBe(`“eve@example.com” (via ${productName}): “Your password has expired”`)
    expect(text).toMatch(/^“eve@example\.com” shared /)
  })

  it('keeps names that contain a short product name by chance', () => {
    const branding = { ...defaultBranding, product_name: 'Art' }
    const { subject } = buildLinkEmail({ sender: { name: 'Martin', account: 'm@example.com' } }, { branding })
    expect(subject).toBe('“Martin” shared “Holiday” with you')
  })

  it.each(languages)('keeps names inside their quotation marks in %s', (language) => {
    const shared = buildLinkEmail({ objects: ['a” b“ c« d» e「 f」 g„ h'] }, { language })
    const expected = buildLinkEmail({ objects: ['a" b" c" d" e" f" g" h'] }, { language })
    expect(shared).toEqual(expected)
  })
})

describe('the email about an expiring certificate', () => {
  it.each([
    [30 * day, 'expires in 30 days', 'expires on 2 March 2026 at 00:00 UTC.'],
    [day, 'expires in a day', 'expires on 1 February 2026 at 00:00 UTC.'],
    [1, 'expires in a day', 'expires on 31 January 2026 at 00:00 UTC.'],
    [0, 'has expired', 'expired on 31 January 2026 at 00:00 UTC.'],
    [-9 * day, 'has expired', 'expired on 22 January 2026 at 00:00 UTC.'],
  ])('names the date and the days left, %d ms before the expiry', (left, subject, sentence) => {
    const email = buildCertificateEmail({ endsAt: nowMs + left })
    expect(email.subject).toBe(`A SAML certificate ${subject} – Latchkey`)
    expect(email.text).toContain(`at auth.example.com ${sentence}`)
  })

  it.each(['idp', 'sp'] as const)(
    'leads to the provider in the console, for a certificate of the %s',
    (side) => {
      const { text, html } = buildCertificateEmail({ side })
      expect(text).toContain('https://auth.example.com/admin#/connections/saml/7')
      expect(html).toContain('href="https://auth.example.com/admin#/connections/saml/7"')
      expect(text + html).not.toMatch(/\/api\/|POST|JSON|confirm"/)
    },
  )

  it('keeps the name of the provider inside its quotation marks', () => {
    const providerName = `Okta\u202e ”\n\nclick <b>${'x'.repeat(2000)}`
    const { text, html } = buildCertificateEmail({ providerName })
    expect(text).toMatch(/for the SAML provider “Okta " click <b>x+…” \(ID 7\)/)
    expect(text + html).not.toMatch(/\u202e|x{200}/)
    expect(html).not.toContain('<b>')
  })
})

describe('the email with a sign-in code', () => {
  it('contains the code but no link, and keeps the code out of what lock screens show', () => {
    const { text, html, subject } = renderSignInCodeEmail(createEnvelope(), {
      username: 'Ann <b>',
      code: '12345678',
      address: '192.0.2.1',
      lifetimeMs: 600_000,
    })
    expect(subject).toBe('Your sign-in code for Latchkey')
    expect(text).toContain('\n1234 5678\n')
    expect(text).toContain('expires in 10 minutes')
    expect(text).toContain('192.0.2.1')
    expect(text + html).not.toMatch(/https?:\/\//)
    expect(html).not.toContain('<b>')
    expect(html).not.toContain('<a ')
    const visible = html.replace(/<head>[\s\S]*<\/head>/, '').replaceAll(/<[^>]*>/g, '')
    expect(visible.replaceAll(/\s+/g, ' ').indexOf('1234')).toBeGreaterThan(150)
  })
})

describe('an email to a hostile username', () => {
  const shown = 'ann</p><img src=x onerror=alert(1)>{host} x'
  const username = `${shown.slice(0, -2)}\u202e\r\n\n\nx`
  it.each([
    ['a reset', renderResetEmail(createEnvelope(), { username, token: 't', lifetimeMs: day })],
    [
      'an invitation',
      renderInvitationEmail(createEnvelope(), {
        ...{ username, inviter: { name: username, account: 'eve@example.com' }, token: 't', lifetimeMs: day },
      }),
    ],
    [
      'a confirmation',
      renderConfirmationEmail(createEnvelope(), { account: username, token: 't', lifetimeMs: day }),
    ],
    [
      'a notice',
      renderSecurityNoticeEmail(createEnvelope(), {
        ...{ username, signInUrl: publicUrl, change: 'new_device', at: nowMs },
        origin: {
          ...{ by: 'user', address: '<b>1</b>', device: { browser: '<b>evil</b>' } },
          ...{ reportToken: 't', reportLifetimeMs: day },
        },
      }),
    ],
  ])('keeps the name out of the markup and of the messages: %s', (_, { text, html }) => {
    expect(html).not.toMatch(/<img|<b>/)
    expect(text).toContain(shown)
  })
})

it('has a preview of every email', async () => {
  const folder = new URL('../../lib/features/mail/', import.meta.url)
  const names = (await readdir(folder)).filter((name) => name.endsWith('-email.ts'))
  const sources = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
  const emails = sources.flatMap((source) => source.match(/(?<=export const )render\w+Email\b/g) ?? [])
  const previews = await readFile(new URL('../../local/previews/emails.ts', import.meta.url), 'utf8')
  expect(emails.length).toBeGreaterThan(10)
  expect(emails.filter((name) => !previews.includes(`${name}(`))).toEqual([])
})

it('names an inviter whose name is the account once', () => {
  const render = (name: string) =>
    renderInvitationEmail(createEnvelope(), {
      ...{ username: 'ann', token: 't', lifetimeMs: day },
      inviter: { name, account: 'admin' },
    }).text
  expect(render('admin')).toContain('“admin” invited you to')
  expect(render('admin')).not.toContain('(admin)')
  expect(render('Grace')).toContain('“Grace” (“admin”) invited you to')
})

describe.each(emailPreviews)('the email $name', ({ render }) => {
  const email = render(createEnvelope())

  it('starts every paragraph with a capital letter', () => {
    const paragraphs = email.text.split('\n\n').filter((text) => !/^(http|\d)/.test(text))
    for (const paragraph of paragraphs) expect(paragraph).toMatch(/^[>\s]*[A-Z“]/)
  })

  it('supports dark mode and loads nothing from other hosts', () => {
    expect(email.html).toContain('<meta name="color-scheme" content="light dark">')
    expect(email.html).toContain('prefers-color-scheme:dark')
    expect(email.html).not.toMatch(/src=|@import|url\(/)
  })

  it('is small', () => {
    expect(Buffer.byteLength(email.html)).toBeLessThan(5000)
  })

  it('shows the same in text as in HTML, with the links of its product', () => {
    for (const language of languages) {
      const { text, html } = render(createEnvelope({ language, branding: acme }))
      const lines = text.split('\n').filter((line) => line !== '')
      for (const line of lines.slice(0, -3)) expect(toLetters(toText(html))).toContain(toLetters(line))
      expect(lines.at(-3)).toBe('Acme <Media> "Library" · auth.example.com')
      expect(lines.at(-2)).toContain(acme.support_url)
      expect(lines.at(-1)).toContain(acme.privacy_url)
      expect(html).toContain('href="https://acme.example/help?a=1&amp;b=2"')
    }
  })

  it('declares its language twice, because programs remove the first declaration', () => {
    for (const language of languages) {
      const declared = ` lang="${language}" dir="${['ar', 'he'].includes(language) ? 'rtl' : 'ltr'}"`
      const found = render(createEnvelope({ language })).html.match(/ lang="\w+" dir="\w+"/g)
      expect(found).toEqual([declared, declared])
    }
  })

  it('has other words in each language', () => {
    const texts = languages.map((language) => render(createEnvelope({ language })).text)
    expect(new Set(texts).size).toBe(languages.length)
  })

  it('escapes the name of the product and shows its logo with a readable button', () => {
    const { subject, html } = render(createEnvelope({ branding: acme }))
    expect(html).not.toMatch(/<Media>|"Library"/)
    expect(html).toContain(
      `<img src="${publicUrl}/logos/a1b2" width="160" height="40" alt="Acme &lt;Media&gt; &quot;Library&quot;"`,
    )
    if (html.includes('class="button"')) expect(html).toContain('background:#ffd500')
    expect(html).not.toMatch(/color:#ffffff;text-decoration/)
    expect(subject).not.toMatch(/[\r\n]/)
  })

  it('shows the logo for dark mode to programs that know dark mode', () => {
    const darkLogo = { hash: 'd4e5', contentType: 'image/png', width: 80, height: 20 }
    const { html } = render(createEnvelope({ branding: { ...acme, dark_logo: darkLogo } }))
    expect(html).toMatch(/\/logos\/a1b2"[^>]* class="light-logo" style="display:block/)
    expect(html).toMatch(/\/logos\/d4e5" width="80" height="20"[^>]* class="dark-logo" style="display:none/)
    expect(html).toMatch(
      /prefers-color-scheme:dark\).*\.light-logo\{display:none!.*\.dark-logo\{display:block!/,
    )
    expect(render(createEnvelope({ branding: acme })).html).not.toContain('-logo"')
  })

  it('keeps a hostile product name out of headers and markup', () => {
    const branding = { ...acme, product_name: 'A\r\nBcc: eve@example.com\u202e</title><script>=?utf-8?q?x?=' }
    const { subject, html } = render(createEnvelope({ branding }))
    expect(subject).not.toMatch(/[\r\n\u202e]|=\?/)
    expect(html).not.toMatch(/<script|<\/title><s|\u202e/)
  })
})

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const toText = (html: string): string =>
  html
    .replaceAll(/<br>/g, '\n')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&([\w#]+);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\s+/g, ' ')
/** Colons separate facts in text alone, and angle brackets mark quotes there. */
const toLetters = (text: string): string => text.replaceAll(/[\s:：>\u2066-\u2069]/g, '')
