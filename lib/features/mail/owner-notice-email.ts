import type { OwnerNoticeKind } from '../../accounts/outbox/security-changes.models.ts'
import { type OrganizationSection, toOrganizationPage } from '../pages/addresses.models.ts'
import type { Fact } from './blocks.ts'
import { type Email, type Envelope, getHost, getProductName } from './email.ts'
import { renderEmail } from './render-email.ts'
import { toMessageName } from './security-notice-email.ts'
import { createEmailTranslate, formatUtc } from './translate.ts'
import { quote } from './user-text.ts'

export interface OwnerNoticeDetails {
  readonly change: OwnerNoticeKind
  readonly organizationId: number
  readonly organization: string
  /** The new owner, API token, connection or domain. Or the user who reported a change. */
  readonly name: string
  /** Members with the roles that the user gave them. */
  readonly members: readonly string[]
  /** Epoch milliseconds. */
  readonly at: number
  /** The username of the one who did it. Undefined without a sign-in, or after they were deleted. */
  readonly by: string | undefined
}

/** Where an owner looks at the thing, and ends it. */
const sections: Readonly<Record<OwnerNoticeKind, OrganizationSection>> = {
  organization_owner_added: 'members',
  organization_token_created: 'api-tokens',
  organization_sign_in_added: 'sign-in',
  organization_domain_proven: 'sign-in',
  organization_roles_reported: 'members',
  directory_people_left: 'sign-in',
}

/** Renders the email to an owner of an organization about a change that someone else made. It has no link that acts. */
export const renderOwnerNoticeEmail = (
  envelope: Envelope,
  { change, organizationId, organization, name, members, at, by }: OwnerNoticeDetails,
): Email => {
  const t = createEmailTranslate(envelope.language)
  const isOfDirectory = change === 'directory_people_left'
  const message = toMessageName(change)
  const heading = t(`${message}Subject`)
  const text = t(`${message}Text`)
  const quoted = (value: string) => t('quoted', { text: quote(value) })
  const facts: readonly Fact[] = [
    {
      label: t('ownerNoticeOrganization'),
      value: t('noticeAccountValue', { username: quote(organization), host: getHost(envelope) }),
    },
    { label: t('ownerNoticeConcerns'), value: quoted(name) },
    ...members.map((member) => ({ label: t('ownerNoticeRoles'), value: quoted(member) })),
    { label: t('noticeTime'), value: formatUtc(envelope.language, at) },
    ...(by === undefined ? [] : [{ label: t('noticeBy'), value: quoted(by) }]),
  ]
  return renderEmail(envelope, {
    subject: t('subjectOfProduct', { product: getProductName(envelope), subject: heading }),
    heading,
    preview: text,
    blocks: [
      text,
      { facts },
      ...(isOfDirectory ? [] : [t('ownerNoticeAct')]),
      {
        button: {
          label: t(isOfDirectory ? 'directoryPeopleLeftButton' : 'ownerNoticeButton'),
          url: toOrganizationPage(envelope.publicUrl, organizationId, sections[change]),
        },
      },
      t('organizationEndingReason'),
    ],
  })
}
