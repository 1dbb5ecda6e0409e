import { toOrganizationPage } from '../pages/addresses.models.ts'
import { type Email, type Envelope, getHost, getProductName } from './email.ts'
import { renderEmail } from './render-email.ts'
import { createEmailTranslate, formatUtc } from './translate.ts'
import { quote } from './user-text.ts'

export interface OrganizationEndingDetails {
  readonly organizationId: number
  readonly organization: string
  /** Epoch milliseconds. */
  readonly endsAt: number
  /** The username of the owner who asked. Undefined after they were deleted. */
  readonly by: string | undefined
}

/** Renders the email to an owner of an organization that will be deleted. */
export const renderOrganizationEndingEmail = (
  envelope: Envelope,
  { organizationId, organization: name, endsAt, by }: OrganizationEndingDetails,
): Email => {
  const t = createEmailTranslate(envelope.language)
  const organization = quote(name)
  const product = getProductName(envelope)
  const text = t('organizationEndingText', { organization, host: getHost(envelope) })
  return renderEmail(envelope, {
    subject: t('organizationEndingSubject', { organization, product }),
    heading: t('organizationEndingHeading'),
    preview: text,
    blocks: [
      text,
      {
        facts: [
          { label: t('organizationEndingDay'), value: formatUtc(envelope.language, endsAt) },
          ...(by === undefined ? [] : [{ label: t('noticeBy'), value: t('quoted', { text: quote(by) }) }]),
        ],
      },
      t('organizationEndingKeep'),
      {
        button: {
          label: t('organizationEndingButton'),
          url: toOrganizationPage(envelope.publicUrl, organizationId, 'settings'),
        },
      },
      t('organizationEndingReason'),
    ],
  })
}
