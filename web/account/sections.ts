import type { ComponentType } from 'preact'
import type { AccountProfile } from '../../lib/contract/page-data.ts'
import type { AppLink } from '../kit/app-page.tsx'
import { loadChunk } from '../kit/load-chunk.tsx'
import { messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/page-data.ts'
import { ProfileSection } from './profile-section.tsx'

const t = messagesOf('account')

export interface Section extends AppLink {
  readonly Content: ComponentType
}

const PasswordSection = loadChunk(
  async () => (await import('./security/password-section.tsx')).PasswordSection,
)
const TwoStepSection = loadChunk(async () => (await import('./security/two-step-section.tsx')).TwoStepSection)
const PasskeySection = loadChunk(async () => (await import('./security/passkey-section.tsx')).PasskeySection)
const SessionSection = loadChunk(async () => (await import('./access/session-section.tsx')).SessionSection)
const TokenSection = loadChunk(async () => (await import('./access/token-section.tsx')).TokenSection)
const ConnectionSection = loadChunk(
  async () => (await import('./access/connection-section.tsx')).ConnectionSection,
)

/** Lists the sections that the user can use. The first one is shown if the address names none. */
export const listSections = (profile: AccountProfile): readonly Section[] => {
  const { user, account } = pageData
  const twoStep = { route: '/two-step', label: t('twoStep'), Content: TwoStepSection }
  const passkeys = { route: '/passkeys', label: t('passkeys'), Content: PasskeySection }
  if (user?.session === 'setup' && !profile.totp_enabled)
    return account?.canHavePasskeys ? [twoStep, passkeys] : [twoStep]
  // No one may change the credentials of another person.
  const isOwn = !user?.impersonatedBy
  return [
    { route: '/profile', label: t('profile'), Content: ProfileSection },
    ...(isOwn ? [{ route: '/password', label: t('password'), Content: PasswordSection }, twoStep] : []),
    ...(isOwn && account?.canHavePasskeys ? [passkeys] : []),
    { route: '/sessions', label: t('sessions'), Content: SessionSection },
    { route: '/api-tokens', label: t('apiTokens'), Content: TokenSection },
    ...(isOwn ? [{ route: '/connections', label: t('connections'), Content: ConnectionSection }] : []),
  ]
}
