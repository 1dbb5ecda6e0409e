import { describe, expect, it } from 'vitest'
import { renderCertificateEmail } from '../../lib/mail/certificate-email.ts'
import { type LinkEmailDetails, renderLinkEmail } from '../../lib/mail/link-email.ts'
import { renderResetEmail } from '../../lib/mail/reset-email.ts'
import { renderSignInCodeEmail } from '../../lib/mail/sign-in-code-email.ts'

const publicUrl = 'https://auth.example.com'
const day = 24 * 60 * 60_000
const nowMs = Date.UTC(2026, 0, 31)

const buildLinkEmail = (details: Partial<LinkEmailDetails> = {}) =>
  renderLinkEmail({
    to: 'ann@example.com',
    sender: { name: 'Grace', account: 'grace@example.com' },
    subject: undefined,
    text: undefined,
    objects: ['Holiday'],
    url: `${publicUrl}/link#token=lka_x`,
    publicUrl,
    expiresAt: null,
    viewsLeft: null,
    requiresPassword: false,
    requiresSignIn: false,
    ...details,
  })

const buildCertificateEmail = (details: Partial<Parameters<typeof renderCertificateEmail>[0]> = {}) =>
  renderCertificateEmail({
    to: 'admin@example.com',
    publicUrl,
    signInUrl: `${publicUrl}/`,
    providerId: 7,
    providerName: 'Okta',
    side: 'idp',
    endsAt: nowMs + 30 * day,
    nowMs,
    ...details,
  })

const buildResetEmail = () =>
  renderResetEmail({
    to: 'ann@example.com',
    username: 'ann',
    publicUrl,
    token: 'lkr_x',
    lifetimeMs: 1_800_000,
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
})

describe('the email about an expiring certificate', () => {
  it.each([
    [30 * day, 'expires in 30 days', 'expires on 2026-03-02.'],
    [day, 'expires in a day', 'expires on 2026-02-01.'],
    [1, 'expires in a day', 'expires on 2026-01-31.'],
    [0, 'has expired', 'expired on 2026-01-31.'],
    [-9 * day, 'has expired', 'expired on 2026-01-22.'],
  ])('names the date and the days left, %d ms before the expiry', (left, subject, sentence) => {
    const email = buildCertificateEmail({ endsAt: nowMs + left })
    expect(email.subject).toBe(`A SAML certificate ${subject}`)
    expect(email.text).toContain(`at auth.example.com ${sentence}`)
  })

  it('keeps the name of the provider inside its quotation marks', () => {
    const providerName = `Okta\u202e ”\n\nclick <b>${'x'.repeat(2000)}`
    const { text, html } = buildCertificateEmail({ providerName })
    expect(text).toMatch(/for the SAML provider “Okta " click <b>x+…” \(ID 7\)/)
    expect(text + html).not.toMatch(/\u202e|x{200}/)
    expect(html).not.toContain('<b>')
  })
})

describe.each([
  ['an access link', buildLinkEmail()],
  ['an expiring certificate', buildCertificateEmail()],
  ['a password reset', buildResetEmail()],
])('the email about %s', (_, email) => {
  it('starts every paragraph with a capital letter', () => {
    const paragraphs = email.text.split('\n\n').filter((text) => !text.startsWith('http'))
    for (const paragraph of paragraphs) expect(paragraph).toMatch(/^\s*[A-Z“]/)
  })

  it('supports dark mode and loads nothing from other hosts', () => {
    expect(email.html).toContain('<meta name="color-scheme" content="light dark">')
    expect(email.html).toContain('prefers-color-scheme:dark')
    expect(email.html).not.toMatch(/src=|@import|url\(/)
  })
})

describe('the email with a sign-in code', () => {
  it('contains the code but no link, and keeps the code out of the subject', () => {
    const { text, html, subject } = renderSignInCodeEmail({
      to: 'ann@example.com',
      username: 'Ann <b>',
      publicUrl,
      code: '12345678',
      address: '192.0.2.1',
      lifetimeMs: 600_000,
    })
    expect(subject).toBe('Your sign-in code')
    expect(text).toContain('\n1234 5678\n')
    expect(text).toContain('expires in 10 minutes')
    expect(text).toContain('192.0.2.1')
    expect(text + html).not.toMatch(/https?:\/\//)
    expect(html).not.toContain('<b>')
    expect(html).not.toContain('<a ')
  })
})
