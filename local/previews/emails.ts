import { exampleFingerprint } from '../../lib/accounts/example-values.models.ts'
import {
  administratorChanges,
  ownerNotices,
  type SecurityChangeKind,
  securityChanges,
  unreportableChanges,
} from '../../lib/accounts/outbox/security-changes.models.ts'
import { renderAdministratorNoticeEmail } from '../../lib/features/mail/administrator-notice-email.ts'
import {
  type CertificateEmailDetails,
  renderCertificateEmail,
} from '../../lib/features/mail/certificate-email.ts'
import { renderJoinCodeEmail, renderSignInCodeEmail } from '../../lib/features/mail/code-email.ts'
import { renderConfirmationEmail } from '../../lib/features/mail/confirmation-email.ts'
import type { Email, Envelope } from '../../lib/features/mail/email.ts'
import {
  renderInvitationEmail,
  renderOrganizationInvitationEmail,
} from '../../lib/features/mail/invitation-email.ts'
import { type LinkEmailDetails, renderLinkEmail } from '../../lib/features/mail/link-email.ts'
import { renderOrganizationEndingEmail } from '../../lib/features/mail/organization-ending-email.ts'
import { renderOwnerNoticeEmail } from '../../lib/features/mail/owner-notice-email.ts'
import { renderResetEmail } from '../../lib/features/mail/reset-email.ts'
import {
  type ChangeOrigin,
  renderSecurityNoticeEmail,
} from '../../lib/features/mail/security-notice-email.ts'
import { renderSetupEmail, type SetupEmailDetails } from '../../lib/features/mail/setup-email.ts'
import {
  renderSignUpEmail,
  renderSignUpKnownEmail,
  renderSignUpWaitingEmail,
} from '../../lib/features/mail/sign-up-email.ts'
import { toConsolePage, toTokenPage } from '../../lib/features/pages/addresses.models.ts'
import {
  emailCodeLifetimeMs,
  emailConfirmationLifetimeMs,
  invitationLifetimeMs,
  organizationInvitationDays,
  resetTokenLifetimeMs,
  securityReportLifetimeMs,
  signUpLinkLifetimeMs,
} from '../../lib/kernel/limits/limits.ts'
import { day, minute } from '../../lib/kernel/util/time.ts'

/** An email with example values. */
export interface EmailPreview {
  /** Lowercase words with hyphens. */
  readonly name: string
  readonly render: (envelope: Envelope) => Email
}

const username = 'ada'
const now = Date.UTC(2030, 0, 31, 12)
const token = 'EXAMPLE'
const signInUrl = 'https://auth.example.com/'

const createLink = ({ publicUrl }: Envelope): LinkEmailDetails => ({
  sender: { name: 'Grace Hopper', account: 'grace@example.com' },
  subject: undefined,
  text: undefined,
  objects: ['Holiday 2030'],
  url: toTokenPage(publicUrl, 'link', token),
  expiresAt: null,
  viewsLeft: null,
  requiresPassword: false,
  requiresSignIn: false,
})

const message: Partial<LinkEmailDetails> = {
  subject: 'Photos',
  text: 'Hello Ada,\nhere are the photos.\n\nGrace',
  objects: ['Holiday 2030', 'Spring'],
  expiresAt: now + 7 * day,
  viewsLeft: 3,
}

const provider = {
  providerId: 7,
  providerName: 'Okta',
  providerUrl: toConsolePage('https://auth.example.com', 'connections', 'saml', 7),
}

const certificate: CertificateEmailDetails = { ...provider, side: 'idp', endsAt: now + 30 * day, nowMs: now }

const setup: SetupEmailDetails = {
  ...provider,
  step: 'metadata',
  entityId: 'https://idp.example.com/metadata',
  address: '192.0.2.1',
  source: 'https://idp.example.com/metadata',
  fingerprints: [exampleFingerprint],
  domains: ['example.com'],
}

const user: ChangeOrigin = {
  by: 'user',
  address: '192.0.2.1',
  device: { browser: 'Firefox', system: 'Windows' },
  reportToken: token,
  reportLifetimeMs: securityReportLifetimeMs,
}

const changesByAdministrators: readonly SecurityChangeKind[] = [
  'password_set',
  'api_token_revoked',
  'sign_in_ended',
]

const getOrigin = (change: SecurityChangeKind): ChangeOrigin => {
  if (unreportableChanges.includes(change)) return { by: 'service' }
  return changesByAdministrators.includes(change) ? { by: 'administrator' } : user
}

/** Every email of the service. The emails about changes of accounts come last. */
export const emailPreviews: readonly EmailPreview[] = [
  {
    name: 'password-reset',
    render: (envelope) => renderResetEmail(envelope, { username, token, lifetimeMs: resetTokenLifetimeMs }),
  },
  {
    name: 'password-reset-locked',
    render: (envelope) =>
      renderResetEmail(envelope, {
        username,
        token,
        lifetimeMs: resetTokenLifetimeMs,
        reason: 'sign_in_locked',
      }),
  },
  {
    name: 'password-reset-breached',
    render: (envelope) =>
      renderResetEmail(envelope, {
        username,
        token,
        lifetimeMs: resetTokenLifetimeMs,
        reason: 'password_breached',
      }),
  },
  {
    name: 'email-confirmation',
    render: (envelope) =>
      renderConfirmationEmail(envelope, {
        account: username,
        token,
        lifetimeMs: emailConfirmationLifetimeMs,
      }),
  },
  {
    name: 'invitation',
    render: (envelope) =>
      renderInvitationEmail(envelope, {
        username,
        token,
        lifetimeMs: invitationLifetimeMs,
        inviter: { name: 'Grace Hopper', account: 'grace@example.com' },
      }),
  },
  {
    name: 'organization-invitation',
    render: (envelope) =>
      renderOrganizationInvitationEmail(envelope, {
        organizationId: 7,
        organization: 'Acme Studios',
        inviter: { name: 'Grace Hopper', account: 'grace@example.com' },
        token,
        validMs: organizationInvitationDays.initial * day,
      }),
  },
  {
    name: 'organization-ending',
    render: (envelope) =>
      renderOrganizationEndingEmail(envelope, {
        organizationId: 12,
        organization: 'Acme Studios',
        endsAt: Date.UTC(2026, 11, 20, 10, 15),
        by: 'grace',
      }),
  },
  {
    name: 'sign-in-code',
    render: (envelope) =>
      renderSignInCodeEmail(envelope, {
        username,
        code: '12345678',
        address: '192.0.2.1',
        lifetimeMs: emailCodeLifetimeMs,
      }),
  },
  {
    name: 'join-code',
    render: (envelope) =>
      renderJoinCodeEmail(envelope, {
        username,
        organization: 'Acme Studios',
        code: '12345678',
        address: '192.0.2.1',
        lifetimeMs: emailCodeLifetimeMs,
      }),
  },
  { name: 'access-link', render: (envelope) => renderLinkEmail(envelope, createLink(envelope)) },
  {
    name: 'access-link-with-message',
    render: (envelope) => renderLinkEmail(envelope, { ...createLink(envelope), ...message }),
  },
  {
    name: 'access-link-with-password',
    render: (envelope) =>
      renderLinkEmail(envelope, { ...createLink(envelope), requiresPassword: true, viewsLeft: 1 }),
  },
  {
    name: 'access-link-with-sign-in',
    render: (envelope) => renderLinkEmail(envelope, { ...createLink(envelope), requiresSignIn: true }),
  },
  {
    name: 'sign-up',
    render: (envelope) => renderSignUpEmail(envelope, { token, lifetimeMs: signUpLinkLifetimeMs }),
  },
  { name: 'sign-up-known', render: (envelope) => renderSignUpKnownEmail(envelope, { signInUrl }) },
  {
    name: 'sign-up-waiting',
    render: (envelope) => renderSignUpWaitingEmail(envelope, { person: 'Ada@example.com' }),
  },
  { name: 'certificate-of-provider', render: (envelope) => renderCertificateEmail(envelope, certificate) },
  {
    name: 'certificate-of-service',
    render: (envelope) =>
      renderCertificateEmail(envelope, { ...certificate, side: 'sp', endsAt: now - minute }),
  },
  {
    name: 'set-up-metadata',
    render: (envelope) => renderSetupEmail(envelope, { ...setup, step: 'metadata', domains: [] }),
  },
  {
    name: 'set-up-live',
    render: (envelope) => renderSetupEmail(envelope, { ...setup, step: 'live', source: '' }),
  },
  ...administratorChanges.map((change) => ({
    name: `notice-${change.replaceAll('_', '-')}`,
    render: (envelope: Envelope) =>
      renderAdministratorNoticeEmail(envelope, {
        change,
        name: 'grace',
        by: username,
        at: now,
        address: '203.0.113.7',
        userId: 12,
        device: { browser: 'Firefox', system: 'Windows' },
        ...(change === 'directory_people_left' && { connection: 'saml/12' }),
      }),
  })),
  ...ownerNotices.map((change) => ({
    // The report is shown whole. All others differ in two sentences.
    name: `${change === 'organization_roles_reported' ? '' : 'notice-'}owners-${change.replaceAll('_', '-')}`,
    render: (envelope: Envelope) =>
      renderOwnerNoticeEmail(envelope, {
        change,
        organizationId: 12,
        organization: 'Acme Studios',
        name: 'grace',
        members: change === 'organization_roles_reported' ? ['mallory: owner, editor'] : [],
        at: now,
        by: username,
      }),
  })),
  ...securityChanges.map((change) => ({
    name: `notice-${change.replaceAll('_', '-')}`,
    render: (envelope: Envelope) =>
      renderSecurityNoticeEmail(envelope, {
        username,
        signInUrl,
        change,
        at: now,
        origin: getOrigin(change),
      }),
  })),
]
