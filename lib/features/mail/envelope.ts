import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Language } from '../../kernel/i18n/languages.ts'
import { chooseLanguage } from '../../kernel/i18n/languages.ts'
import type { Services } from '../../services.ts'
import { findBranding } from '../branding/find-branding.ts'
import type { OrganizationRecord } from '../organizations/records.ts'
import { addOrganizationBranding } from '../organizations/shown-branding.ts'
import type { Envelope } from './email.ts'

export interface EmailRecipient {
  /** The address in the form in which email is sent to it. */
  readonly to: string
  readonly user: Pick<UserRecord, 'language'>
  /** The language of the request that caused the email. It counts if the recipient chose none. */
  readonly requestLanguage: Language | undefined
  /** A product that access links lead to. Without a name, the email comes from the service. */
  readonly productName?: string | undefined
  /** The organization that the email is about. It has its look. */
  readonly organization?: Pick<OrganizationRecord, 'id' | 'name' | 'slug' | 'branding'> | undefined
}

export const createEnvelope = async (
  services: Services,
  { to, user, requestLanguage, productName, organization }: EmailRecipient,
): Promise<Envelope> => ({
  to,
  language: chooseLanguage({ userLanguage: user.language, browserChoice: requestLanguage }),
  branding: addOrganizationBranding(await findBranding(services, productName), organization),
  publicUrl: services.config.publicUrl,
})
