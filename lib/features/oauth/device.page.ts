import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { Language } from '../../kernel/i18n/languages.ts'
import type { Services } from '../../services.ts'
import { findBranding } from '../branding/find-branding.ts'
import { askFirst } from '../pages/plain/ask-first.page.ts'
import { allowFormTarget } from '../pages/plain/form-target.ts'
import { renderPlainPage, type TranslatePlain } from '../pages/plain/plain.page.ts'
import type { ClientRecord } from './clients.records.ts'
import type { WaitingDevice } from './devices/decide-device.ts'
import { buildDeviceUrl, formatUserCode } from './devices/device-code.ts'
import { readGrantedAccess } from './granted-access.page.ts'
import { builtPages } from './pages.prebuilt.ts'

type Describe = Parameters<typeof renderPlainPage>[3]

/** Builds a page that works without a script. Its form can lead to the sign-in page. */
const buildPage = async (
  services: Services,
  name: 'deviceEntry' | 'deviceDone',
  language: Language,
  describe: Describe,
) => {
  const { html, headers } = await renderPlainPage(
    builtPages[name],
    await findBranding(services),
    language,
    describe,
  )
  return { body: html, headers: allowFormTarget(headers, services.config.signInUrl) }
}

interface Entry {
  /** The code in the field. */
  readonly typed: string | undefined
  readonly isWrong: boolean
}

export const buildEntryPage = (services: Services, language: Language, { typed, isWrong }: Entry) =>
  buildPage(services, 'deviceEntry', language, (t) => ({
    title: t('deviceTitle'),
    instruction: t('deviceEnter'),
    label: t('deviceCode'),
    problem: isWrong ? t('deviceUnknown') : undefined,
    typed: typed ?? '',
    next: t('deviceNext'),
  }))

/** Asks about a device. The page names the app, what it gets, and the code, so that no one approves the device of another person. */
export const askAboutDevice = async (
  services: Services,
  language: Language,
  principal: SessionPrincipal,
  { userCode, client, scopes, device }: WaitingDevice,
  shown: string | undefined,
) => {
  const { resource, secretHash } = device
  const describeAccess = await readGrantedAccess(services, language, {
    user: principal.user,
    client,
    resource,
    scopes,
  })
  const describe = (t: TranslatePlain) => ({
    title: t('deviceSignInTo', { app: client.name }),
    user: t('deviceUser', { user: principal.user.username }),
    otherUrl: buildOtherUserUrl(services, userCode),
    other: t('deviceOtherUser'),
    label: t('deviceCode'),
    userCode: formatUserCode(userCode),
    compare: t('deviceCompare', { app: client.name }),
    ...describeAccess(t, client.name),
  })
  // The secret of the device is random, so it names this device and no later one with the same code.
  const question = { question: 'device', id: secretHash, principal, facts: { resource, scopes } }
  const page = { language, template: builtPages.deviceConfirm, leadsTo: services.config.signInUrl, describe }
  return askFirst(services, { ...question, ...page }, shown)
}

const buildOtherUserUrl = ({ config }: Services, userCode: string): string => {
  const url = new URL(config.signInUrl)
  url.searchParams.set('return_to', buildDeviceUrl(config, userCode))
  url.searchParams.set('prompt', 'select_account')
  return url.href
}

export const buildDonePage = (
  services: Services,
  language: Language,
  client: Pick<ClientRecord, 'name'>,
  isApproved: boolean,
) =>
  buildPage(services, 'deviceDone', language, (t) => ({
    title: isApproved ? t('deviceDoneTitle') : t('deviceDeniedTitle'),
    message: isApproved ? t('deviceDone', { app: client.name }) : t('deviceDenied', { app: client.name }),
  }))
