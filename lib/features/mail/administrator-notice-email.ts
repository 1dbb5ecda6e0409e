import type { AdministratorChangeKind } from '../../accounts/outbox/security-changes.models.ts'
import type { Device } from '../../kernel/util/user-agents.ts'
import { toConsolePage, toDirectoryTab } from '../pages/addresses.models.ts'
import type { Fact } from './blocks.ts'
import type { Email } from './email.ts'
import { type Envelope, getHost, getProductName } from './email.ts'
import { renderEmail } from './render-email.ts'
import { describeDevice, toMessageName } from './security-notice-email.ts'
import { createEmailTranslate, formatUtc } from './translate.ts'
import { asServiceText, quote } from './user-text.ts'

export interface AdministratorNoticeDetails {
  readonly change: AdministratorChangeKind
  /** The user or group that the change is about. */
  readonly name: string
  /** Epoch milliseconds. */
  readonly at: number
  /** The username of the person who did it. Undefined for an import, or after they were deleted. */
  readonly by: string | undefined
  readonly address: string
  readonly device: Device
  /** The ID of the user who asks for the deletion of their account. */
  readonly userId: number | null
  /** The kind and the ID of the connection that the change is about. */
  readonly connection?: string | undefined
}

/** Renders the email to administrators about a change that can make others administrators. It contains names, but no other text of a user. */
export const renderAdministratorNoticeEmail = (
  envelope: Envelope,
  { change, name, at, by, address, device, userId, connection }: AdministratorNoticeDetails,
): Email => {
  const t = createEmailTranslate(envelope.language)
  const message = toMessageName(change)
  const heading = t(`${message}Subject`)
  const text = t(`${message}Text`)
  const shownName = t('noticeAccountValue', { username: quote(name), host: getHost(envelope) })
  const isGroup = change === 'administrator_group_changed'
  const isDeletion = change === 'account_deletion_asked'
  const isHook = change === 'sign_in_hook_failed'
  const facts: readonly Fact[] = [
    { label: t(isGroup ? 'administratorNoticeGroup' : 'noticeAccount'), value: shownName },
    { label: t('noticeTime'), value: formatUtc(envelope.language, at) },
    ...(by === undefined ? [] : [{ label: t('noticeBy'), value: t('quoted', { text: quote(by) }) }]),
    {
      label: t('noticeFrom'),
      value: t('noticeFromValue', { address: asServiceText(address), device: describeDevice(t, device) }),
    },
  ]
  return renderEmail(envelope, {
    subject: t('subjectOfProduct', { product: getProductName(envelope), subject: heading }),
    heading,
    preview: text,
    blocks: [
      text,
      { facts },
      ...(isOfDirectory(change) || isHook
        ? []
        : [t(isDeletion ? 'accountDeletionAskedAct' : 'administratorNoticeAct')]),
      {
        button: {
          label: t(chooseButton(change)),
          url: buildUrl(envelope, { change, userId, connection }),
        },
      },
      t('administratorNoticeReason'),
    ],
  })
}

const isOfDirectory = (change: AdministratorChangeKind): boolean =>
  change === 'directory_owner_kept' || change === 'directory_people_left'

const chooseButton = (change: AdministratorChangeKind) => {
  if (change === 'account_deletion_asked') return 'accountDeletionAskedButton'
  return change === 'directory_people_left' ? 'directoryPeopleLeftButton' : 'administratorNoticeButton'
}

/** Where administrators look at the thing. */
const buildUrl = (
  { publicUrl }: Envelope,
  { change, userId, connection }: Pick<AdministratorNoticeDetails, 'change' | 'userId' | 'connection'>,
): string => {
  if (change === 'account_deletion_asked' && userId !== null) return toConsolePage(publicUrl, 'users', userId)
  const [kind = '', id] = connection?.split('/') ?? []
  if (id === undefined) return toConsolePage(publicUrl, 'audit-events')
  return change === 'directory_people_left'
    ? toDirectoryTab(publicUrl, kind, Number(id))
    : toConsolePage(publicUrl, 'connections', kind, Number(id))
}
