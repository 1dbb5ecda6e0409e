import { day } from '../../kernel/util/time.ts'
import { toTokenPage } from '../pages/addresses.models.ts'
import type { Email } from './email.ts'
import { type Envelope, getHost, getProductName } from './email.ts'
import { renderEmail } from './render-email.ts'
import { createEmailTranslate } from './translate.ts'
import { getSenderName, type LinkSender, quote, quoteSender, type ServiceText } from './user-text.ts'

export interface InvitationEmailDetails {
  readonly username: string
  /** Undefined if the inviter was deleted. */
  readonly inviter: LinkSender | undefined
  readonly token: string
  readonly lifetimeMs: number
}

/** Renders the email that invites a user. The token is in the fragment, which no server or `Referer` gets. */
export const renderInvitationEmail = (envelope: Envelope, details: InvitationEmailDetails): Email => {
  const { username, inviter, token, lifetimeMs } = details
  const t = createEmailTranslate(envelope.language)
  const product = getProductName(envelope)
  const by = inviter && describeInviter(t, inviter, product)
  const invited = by ? t('invitationBy', { inviter: by, product }) : t('invitationByNoOne', { product })
  return renderEmail(envelope, {
    own: { kind: 'invitation', values: { username: quote(username), inviter: by ?? product } },
    subject: t('invitationSubject', { product }),
    preview: invited,
    blocks: [
      invited,
      t('invitationAccount', { username: quote(username), host: getHost(envelope) }),
      { button: { label: t('invitationButton'), url: toTokenPage(envelope.publicUrl, 'invite', token) } },
      t('invitationExpiry', { days: Math.round(lifetimeMs / day) }),
      t('invitationIgnore'),
    ],
  })
}

export interface OrganizationInvitationEmailDetails {
  readonly organizationId: number
  readonly organization: string
  readonly inviter: LinkSender
  readonly token: string
  readonly validMs: number
}

/** Renders the email that invites an address to an organization. */
export const renderOrganizationInvitationEmail = (
  envelope: Envelope,
  { organizationId, organization: name, inviter, token, validMs }: OrganizationInvitationEmailDetails,
): Email => {
  const t = createEmailTranslate(envelope.language)
  const product = getProductName(envelope)
  const organization = quote(name)
  const isBranded = envelope.branding.organization !== undefined
  const by = describeInviter(t, inviter, product)
  const invited = t('organizationInvitationBy', {
    inviter: by,
    organization,
    host: getHost(envelope),
  })
  return renderEmail(envelope, {
    own: { kind: 'organization_invitation', values: { organization, inviter: by } },
    subject: t('organizationInvitationSubject', { organization, product }),
    preview: invited,
    blocks: [
      invited,
      {
        button: {
          label: t('organizationInvitationButton'),
          // The page has the look of the organization, too.
          url: toTokenPage(
            envelope.publicUrl,
            'invite',
            token,
            isBranded ? `?organization=${organizationId}` : '',
          ),
        },
      },
      t('invitationExpiry', { days: Math.max(1, Math.round(validMs / day)) }),
      t('invitationIgnore'),
    ],
  })
}

/** The name with the account, because people choose their names. A name that is the account stands once. */
const describeInviter = (
  t: ReturnType<typeof createEmailTranslate>,
  inviter: LinkSender,
  product: string,
): ServiceText => {
  const account = quote(inviter.account)
  return getSenderName(inviter, product) === inviter.account
    ? t('quoted', { text: account })
    : t('personWithAccount', { name: quoteSender(inviter, product), account })
}
