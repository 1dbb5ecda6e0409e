import { describe, expect, it } from 'vitest'
import { renderCertificateEmail } from '../../lib/mail/certificate-email.ts'
import { type LinkFacts, renderLinkEmail } from '../../lib/mail/link-email.ts'
import { renderResetEmail } from '../../lib/mail/reset-email.ts'

const publicUrl = 'https://auth.example.com'
const day = 24 * 60 * 60_000
const nowMs = Date.UTC(2026, 0, 31)

const ofLink = (facts: Partial<LinkFacts> = {}) =>
  renderLinkEmail({
    to: 'ann@example.com',
    sharer: { name: 'Grace', account: 'grace@example.com' },
    subject: undefined,
    text: undefined,
    objects: ['Holiday'],
    url: `${publicUrl}/link#token=lka_x`,
    publicUrl,
    expiresAt: null,
    viewsLeft: null,
    asksForPassword: false,
    asksForSignIn: false,
    ...facts,
  })

const ofCertificate = (facts: Partial<Parameters<typeof renderCertificateEmail>[0]> = {}) =>
  renderCertificateEmail({
    to: 'admin@example.com',
    publicUrl,
    signInUrl: `${publicUrl}/`,
    providerId: 7,
    providerName: 'Okta',
    side: 'idp',
    endsAt: nowMs + 30 * day,
    nowMs,
    ...facts,
  })

const ofReset = () =>
  renderResetEmail({
    to: 'ann@example.com',
    username: 'ann',
    publicUrl,
    token: 'lkr_x',
    lifetimeMs: 1_800_000,
  })

describe('the mail of a link', () => {
  it('says who can open it, and contradicts itself in nothing', () => {
    expect(ofLink().text).toContain('Whoever has the link can open it, so please keep it to yourself.')
    const guarded = ofLink({ asksForPassword: true }).text
    expect(guarded).toContain(
      'Whoever has the link and its password can open it, so please keep both to yourself.',
    )
    expect(guarded).not.toContain('Whoever has the link can')
    for (const asksForPassword of [true, false])
      expect(ofLink({ asksForSignIn: true, asksForPassword }).text).not.toContain('Whoever has the link')
  })

  it('quotes what the sharer wrote with its indentation, in HTML as in text', () => {
    const { html, text } = ofLink({ text: 'List:\n  - one\n\t- two' })
    expect(text).toContain('> List:\n>   - one\n> \t- two')
    const [, style = '', quote = ''] = /<blockquote([^>]*)>([\s\S]*?)<\/blockquote>/.exec(html) ?? []
    expect(style).toContain('white-space:pre-wrap')
    // Blanks around it would be shown as well.
    expect(quote).toBe('List:<br>  - one<br>\t- two')
  })
})

describe('the mail about a certificate', () => {
  it.each([
    [30 * day, 'ends in 30 days', 'relies on ends on 2026-03-02.'],
    [day, 'ends in a day', 'relies on ends on 2026-02-01.'],
    [1, 'ends in a day', 'relies on ends on 2026-01-31.'],
    [0, 'has ended', 'relies on ended on 2026-01-31.'],
    [-9 * day, 'has ended', 'relies on ended on 2026-01-22.'],
  ])('%d ms before the end', (left, subject, sentence) => {
    const mail = ofCertificate({ endsAt: nowMs + left })
    expect(mail.subject).toBe(`A SAML certificate ${subject}`)
    expect(mail.text).toContain(sentence)
  })

  it('keeps the provider’s name to a place of its own', () => {
    const { text, html } = ofCertificate({ providerName: `Okta\u202e ”\n\nclick <b>${'x'.repeat(2000)}` })
    expect(text).toMatch(/by the SAML provider “Okta " click <b>x+…” \(number 7\)/)
    expect(text + html).not.toMatch(/\u202e|x{200}/)
    expect(html).not.toContain('<b>')
  })
})

it.each([
  ['a link', ofLink()],
  ['a certificate', ofCertificate()],
  ['a reset', ofReset()],
])('the mail of %s begins its sentences with a capital, and says that it knows light and dark', (_, mail) => {
  const paragraphs = mail.text.split('\n\n').filter((text) => !text.startsWith('http'))
  for (const paragraph of paragraphs) expect(paragraph).toMatch(/^\s*[A-Z“]/)
  expect(mail.html).toContain('<meta name="color-scheme" content="light dark">')
  expect(mail.html).toContain('prefers-color-scheme:dark')
  expect(mail.html).not.toMatch(/src=|@import|url\(/)
})
