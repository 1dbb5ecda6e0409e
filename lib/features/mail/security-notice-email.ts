import type {
  AdministratorChangeKind,
  OwnerNoticeKind,
  SecurityChangeKind,
} from '../../accounts/outbox/security-changes.models.ts'
import { day } from '../../kernel/util/time.ts'
import type { Device } from '../../kernel/util/user-agents.ts'
import { toTokenPage } from '../pages/addresses.models.ts'
import type { Block, Fact } from './blocks.ts'
import type { Email } from './email.ts'
import { type Envelope, getHost, getProductName } from './email.ts'
import { renderEmail } from './render-email.ts'
import { createEmailTranslate, formatUtc, joinSentences, type TranslateEmail } from './translate.ts'
import { asServiceText, quote, type ServiceText } from './user-text.ts'

export interface SecurityNoticeDetails {
  readonly username: string
  /** The URL of the sign-in page. */
  readonly signInUrl: string
  readonly change: SecurityChangeKind
  /** Epoch milliseconds. */
  readonly at: number
  readonly origin: ChangeOrigin
}

/** Who made a change. Other people than the user are shown without address and browser. */
export type ChangeOrigin =
  | {
      readonly by: 'user'
      readonly address: string
      readonly device: Device
      /** For the link to report that the change was not the user's. */
      readonly reportToken: string
      readonly reportLifetimeMs: number
    }
  | { readonly by: 'administrator' | 'service' }

/** Renders the email about a change of an account. It contains no text of a user except the username. */
export const renderSecurityNoticeEmail = (envelope: Envelope, details: SecurityNoticeDetails): Email => {
  const t = createEmailTranslate(envelope.language)
  const change = toMessageName(details.change)
  const heading = t(`${change}Subject`)
  const text = t(`${change}Text`)
  return renderEmail(envelope, {
    subject: t('subjectOfProduct', { product: getProductName(envelope), subject: heading }),
    heading,
    preview: text,
    blocks: [
      text,
      { facts: listFacts(envelope, t, details) },
      ...listActions(envelope, t, details),
      t('noticeReason'),
    ],
  })
}

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

export const toMessageName = <Kind extends SecurityChangeKind | AdministratorChangeKind | OwnerNoticeKind>(
  kind: Kind,
): CamelCase<Kind> => kind.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Kind>

const listFacts = (
  envelope: Envelope,
  t: TranslateEmail,
  { username, at, origin }: SecurityNoticeDetails,
): readonly Fact[] => [
  {
    label: t('noticeAccount'),
    value: t('noticeAccountValue', { username: quote(username), host: getHost(envelope) }),
  },
  { label: t('noticeTime'), value: formatUtc(envelope.language, at) },
  ...(origin.by === 'user'
    ? [
        {
          label: t('noticeFrom'),
          value: t('noticeFromValue', {
            address: asServiceText(origin.address),
            device: describeDevice(t, origin.device),
          }),
        },
      ]
    : []),
  ...(origin.by === 'administrator' ? [{ label: t('noticeBy'), value: t('noticeByAdministrator') }] : []),
]

/** The names come from the lists of `identifyDevice`. */
export const describeDevice = (t: TranslateEmail, device: Device): ServiceText => {
  const [browser, system] = [device.browser, device.system].map((name) => name && asServiceText(name))
  if (!browser) return system ? t('deviceWithoutBrowser', { system }) : t('deviceUnknown')
  return system ? t('deviceWithBrowser', { browser, system }) : browser
}

const listActions = (
  { publicUrl, language }: Envelope,
  t: TranslateEmail,
  { signInUrl, origin }: SecurityNoticeDetails,
): readonly Block[] => {
  if (origin.by === 'user') {
    const days = Math.round(origin.reportLifetimeMs / day)
    return [
      t('noticeQuestion'),
      { button: { label: t('noticeButton'), url: toTokenPage(publicUrl, 'secure', origin.reportToken) } },
      joinSentences(language, [t('noticePage'), t('noticeExpiry', { days })]),
    ]
  }
  return [
    ...(origin.by === 'administrator' ? [t('noticeAskAdministrator')] : []),
    { button: { label: t('signInButton'), url: signInUrl } },
  ]
}
