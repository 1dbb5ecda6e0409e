import type { Session } from '../../../lib/client/generated/models.ts'
import { identifyDevice } from '../../../lib/util/user-agents.ts'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/page-data.ts'

const t = messagesOf('access')

/** Describes a browser by known names only, because a caller chooses what they send. */
export const describeDevice = (userAgent: string): string => {
  const { browser, system } = identifyDevice(userAgent)
  if (!browser) return system ? t('unknownDeviceOn', { system }) : t('unknownDevice')
  return system ? t('browserOnSystem', { browser, system }) : browser
}

/** Describes where a session was opened: the country, if the service knows it, and the address. */
export const describePlace = ({ ip, country }: Session): string => {
  const name = country && new Intl.DisplayNames(pageData.language, { type: 'region' }).of(country)
  return name ? `${name} (${ip})` : ip
}
