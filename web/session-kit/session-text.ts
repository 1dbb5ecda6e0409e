import type { RememberedDevice, Session } from '../../lib/client/generated/models.ts'
import { identifyDevice } from '../../lib/kernel/util/user-agents.ts'
import { formatDateTime, formatRelativeTime } from '../kit/format.ts'
import { messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/start-path.ts'

const t = messagesOf('session')

/** Describes the browser of a session by known names only, because a caller chooses what they send. */
export const describeSessionDevice = ({ user_agent: userAgent }: Pick<Session, 'user_agent'>): string => {
  const { browser, system } = identifyDevice(userAgent)
  if (!browser) return system ? t('unknownDeviceOn', { system }) : t('unknownDevice')
  return system ? t('browserOnSystem', { browser, system }) : browser
}

/** Describes where and how a session was opened, and when it was used. */
export const describeSession = (session: Session): string =>
  [
    describePlace(session),
    t('lastSeen', { time: formatRelativeTime(session.last_seen) }),
    t('since', { date: formatDateTime(session.created_at) }),
    ...(session.saml_provider ? [t('throughProvider', { provider: session.saml_provider.name })] : []),
    ...(session.access_token === null ? [] : [t('throughLink')]),
  ].join(' · ')

/** Describes where a remembered device was used last, and until when it is remembered. */
export const describeRememberedDevice = (device: RememberedDevice): string =>
  [
    describePlace(device),
    t('lastSeen', { time: formatRelativeTime(device.last_used_at ?? device.created_at) }),
    t('rememberedUntil', { date: formatDateTime(device.expires) }),
  ].join(' · ')

/** The country, if the service knows it, and the address. */
export const describePlace = ({ ip, country }: Pick<Session, 'ip' | 'country'>): string => {
  const name = country && new Intl.DisplayNames(pageData.language, { type: 'region' }).of(country)
  return name ? `${name} (${ip})` : ip
}
