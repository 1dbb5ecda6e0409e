import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { defaultBranding } from '../../lib/features/branding/brand.models.ts'
import { renderAdministratorNoticeEmail } from '../../lib/features/mail/administrator-notice-email.ts'
import { renderCertificateEmail } from '../../lib/features/mail/certificate-email.ts'
import { renderJoinCodeEmail, renderSignInCodeEmail } from '../../lib/features/mail/code-email.ts'
import { renderConfirmationEmail } from '../../lib/features/mail/confirmation-email.ts'
import type { Email, Envelope } from '../../lib/features/mail/email.ts'
import {
  renderInvitationEmail,
  renderOrganizationInvitationEmail,
} from '../../lib/features/mail/invitation-email.ts'
import { renderLinkEmail } from '../../lib/features/mail/link-email.ts'
import { renderOrganizationEndingEmail } from '../../lib/features/mail/organization-ending-email.ts'
import { renderOwnerNoticeEmail } from '../../lib/features/mail/owner-notice-email.ts'
import { renderResetEmail } from '../../lib/features/mail/reset-email.ts'
import { renderSecurityNoticeEmail } from '../../lib/features/mail/security-notice-email.ts'
import { renderSetupEmail } from '../../lib/features/mail/setup-email.ts'
import { renderSignUpWaitingEmail } from '../../lib/features/mail/sign-up-email.ts'
import { loadEmailMessages } from '../../lib/features/mail/translate.ts'
import { languages } from '../../lib/kernel/i18n/languages.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { addSignedIn } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount } from '../support/public-upstream.ts'
import { useService } from '../support/use-service.ts'

/* What strangers call themselves, in emails to those who do not know them. */

await Promise.all(languages.map(loadEmailMessages))

const marker = 'XPAYX'
/** A name that wants to be a sentence of the service, ends a quotation, and is too long. */
const foreign = `${marker}” » 」 “ « 「 ${marker} Your parcel waits. Pay at pay.example ${'x'.repeat(300)}`
const sender = { name: foreign, account: foreign, organization: foreign }
const origin = { by: 'administrator' } as const
const [nowMs, day] = [Date.UTC(2030, 0, 31), 86_400_000]
const ofProvider = { providerId: 7, providerName: foreign, providerUrl: 'https://auth.example.com/admin' }
const device = { browser: 'Firefox', system: 'Linux' }

/** Each email that has text of others, with that text in each place. */
const emails: Readonly<Record<string, (envelope: Envelope) => Email>> = {
  reset: (to) => renderResetEmail(to, { username: foreign, token: 't', lifetimeMs: day }),
  locked: (to) =>
    renderResetEmail(to, { username: foreign, token: 't', lifetimeMs: day, reason: 'sign_in_locked' }),
  breached: (to) =>
    renderResetEmail(to, { username: foreign, token: 't', lifetimeMs: day, reason: 'password_breached' }),
  confirmation: (to) => renderConfirmationEmail(to, { account: foreign, token: 't', lifetimeMs: day }),
  invitation: (to) =>
    renderInvitationEmail(to, { username: foreign, inviter: sender, token: 't', lifetimeMs: day }),
  'organization invitation': (to) =>
    renderOrganizationInvitationEmail(to, {
      ...{ organizationId: 1, organization: foreign, inviter: sender, token: 't', validMs: day },
    }),
  'organization ending': (to) =>
    renderOrganizationEndingEmail(to, {
      organizationId: 1,
      organization: foreign,
      endsAt: nowMs,
      by: foreign,
    }),
  'notice to owners': (to) =>
    renderOwnerNoticeEmail(to, {
      ...{ change: 'organization_roles_reported', organizationId: 1, organization: foreign },
      ...{ name: foreign, members: [foreign], at: nowMs, by: foreign },
    }),
  code: (to) =>
    renderSignInCodeEmail(to, { username: foreign, code: '12345678', address: '::1', lifetimeMs: day }),
  'code to join': (to) =>
    renderJoinCodeEmail(to, {
      ...{ username: foreign, organization: foreign, code: '12345678', address: '::1', lifetimeMs: day },
    }),
  'sign-up': (to) => renderSignUpWaitingEmail(to, { person: foreign }),
  notice: (to) =>
    renderSecurityNoticeEmail(to, {
      ...{
        username: foreign,
        signInUrl: 'https://auth.example.com',
        change: 'password_set',
        at: nowMs,
        origin,
      },
    }),
  'administrator notice': (to) =>
    renderAdministratorNoticeEmail(to, {
      ...{ change: 'administrator_added', name: foreign, at: nowMs, by: foreign, address: '::1', device },
      userId: null,
    }),
  certificate: (to) => renderCertificateEmail(to, { ...ofProvider, side: 'idp', endsAt: nowMs + day, nowMs }),
  'set-up': (to) =>
    renderSetupEmail(to, {
      ...{ ...ofProvider, step: 'metadata', entityId: foreign, source: foreign, fingerprints: [] },
      ...{ domains: [foreign], address: '::1' },
    }),
  link: (to) =>
    renderLinkEmail(to, {
      ...{ sender, subject: foreign, text: undefined, objects: [foreign], url: 'https://auth.example.com' },
      ...{ expiresAt: null, viewsLeft: null, requiresPassword: true, requiresSignIn: false },
    }),
  'link to one thing': (to) =>
    renderLinkEmail(to, {
      ...{ sender, subject: undefined, text: undefined, objects: [foreign], url: 'https://auth.example.com' },
      ...{ expiresAt: null, viewsLeft: null, requiresPassword: false, requiresSignIn: false },
    }),
}

/** What stands in quotation marks, of any language. Marks inside were replaced, so the next one is the end. */
const quotations = /“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」/g

describe.each(languages)('emails in %s', (language) => {
  it.each(Object.entries(emails))('quote and cut what others wrote: %s', (_, render) => {
    const envelope: Envelope = {
      ...{ to: 'ada@example.com', language, publicUrl: 'https://auth.example.com' },
      branding: { ...defaultBranding, organization: foreign },
    }
    const { subject, text, html } = render(envelope)
    const shown = html.replaceAll(/<style>[\s\S]*?<\/style>/g, '').replaceAll('&quot;', '"')
    for (const part of [subject, text, shown]) {
      expect(part.replaceAll(quotations, '')).not.toContain(marker)
      for (const [quotation] of part.matchAll(quotations)) expect(quotation.length).toBeLessThan(262)
    }
    expect(`${subject}${text}`).toContain(marker)
    expect(shown).toContain(marker)
  })
})

describe('the username of a newcomer from a public provider', async () => {
  const service = await useService({
    ALLOW_PRIVATE_METADATA: 'true',
    RATE_LIMITS: 'signUpsPerAddress=100000/60',
  })
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const upstream = closeAfterTests(await startUpstream())
  const connection = await addPublicConnection(service, admin.bearer, upstream, {
    ...{ name: 'Anyone', public_provider: 'oidc', first_sign_in: 'create' },
  })
  const nameOf = async (claims: object): Promise<string> => {
    const { user } = await connection.signIn(
      newGoogleAccount({ email: `${randomUUID()}@x.example`, ...claims }),
    )
    return (await findUser(service.services.table, user ?? 0))?.username ?? ''
  }

  it.each([
    'Your parcel waits. Pay 2 EUR at pay.example',
    '<img src=x>',
    'ada/../admin',
    'ada+lovelace',
    'ada:lovelace',
    'https://pay.example',
    'x'.repeat(65),
    '💰',
    'ada\u00a0lovelace',
    'Call +1 555 0100@victim.example',
  ])('is nothing that says something: %s', async (preferred_username) => {
    const username = await nameOf({ preferred_username })
    expect(username).toMatch(/^[\p{L}\p{M}\p{Nd}._-]{1,64}$/u)
    expect(username).not.toContain('parcel')
  })

  it('is the one that they have there, if it is plain', async () => {
    for (const name of ['ada', 'Ada_Lovelace-1815', 'grace.hopper', 'Łucja', 'プログラマー']) {
      const preferred_username = `${name}${Math.floor(Math.random() * 1e9)}`
      expect(await nameOf({ preferred_username })).toBe(preferred_username)
    }
  })

  it('is the address only if it is verified and their own', async () => {
    const email = `${randomUUID()}@x.example`
    expect(await nameOf({ email, preferred_username: email })).toBe(email.split('@')[0])
    expect(await nameOf({ preferred_username: `ada-${randomUUID()}@victim.example` })).not.toContain('@')
  })
})
