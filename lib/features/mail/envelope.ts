import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Language } from '../../kernel/i18n/languages.ts'
import { chooseLanguage } from '../../kernel/i18n/languages.ts'
import type { Services } from '../../services.ts'
import { findBranding, hasEmailTexts } from '../branding/find-branding.ts'
import type { OrganizationRecord } from '../organizations/records.ts'
import { addOrganizationBranding } from '../organizations/shown-branding.ts'
import type { Envelope } from './email.ts'
import type { EmailTextKind } from './own-texts/kinds.models.ts'
import type { EmailTextOwner } from './own-texts/records.ts'

export interface EmailRecipient {
  /** The address in the form in which email is sent to it. */
  readonly to: string
  readonly user: Pick<UserRecord, 'language'>
  /** The language of the request that caused the email. It counts if the recipient chose none. */
  readonly requestLanguage: Language | undefined
  /** A product that access links lead to. Without a name, the email comes from the service. */
  readonly productName?: string | undefined
  /** The organization that the email is about. It has its look. */
  readonly organization?:
    | Pick<OrganizationRecord, 'id' | 'name' | 'slug' | 'branding' | 'hasEmailTexts'>
    | undefined
  /** The kind of the email, if it can have own words. */
  readonly emailText?: EmailTextKind | undefined
}

export const createEnvelope = async (
  services: Services,
  { to, user, requestLanguage, productName, organization, emailText: kind }: EmailRecipient,
): Promise<Envelope> => {
  const language = chooseLanguage({ userLanguage: user.language, browserChoice: requestLanguage })
  const ofProduct = await findBranding(services, productName)
  const branding = addOrganizationBranding(ofProduct, organization)
  const sender = await findSender(services, { kind, branding: ofProduct, organization })
  const owners = kind ? await listOwners(services, { productName, organization }) : []
  return {
    to,
    language,
    branding,
    publicUrl: services.config.publicUrl,
    ...(sender && { sender }),
    ...(kind &&
      owners.length > 0 && { emailText: await readEmailText(services, { owners, kind, language }) }),
  }
}

/** Who can have own words for an email, the nearest first. Nobody, if no words were ever set: then nothing is read. */
const listOwners = async (
  services: Services,
  { productName, organization }: Pick<EmailRecipient, 'productName' | 'organization'>,
): Promise<readonly EmailTextOwner[]> => [
  ...(organization?.hasEmailTexts ? [{ organization: organization.id }] : []),
  ...((await hasEmailTexts(services))
    ? [...(productName === undefined ? [] : [{ product: productName }]), { service: true } as const]
    : []),
]

/** Most services have no sender of their own, so what checks it is loaded only for those who have. */
const findSender = async (
  ...given: Parameters<FindEmailSender>
): Promise<Awaited<ReturnType<FindEmailSender>>> => {
  const [, { branding, organization }] = given
  const settings = [branding, organization?.branding]
  return settings.some((one) => one?.sender_name != null || one?.reply_to != null)
    ? (await import('./email-sender.ts')).findEmailSender(...given)
    : undefined
}

type FindEmailSender = typeof import('./email-sender.ts')['findEmailSender']

/** Most services have no own words, so what reads them is loaded only for those who have. */
const readEmailText = async (...given: Parameters<FindEmailText>) =>
  (await import('./own-texts/find-email-text.ts')).findEmailText(...given)

type FindEmailText = typeof import('./own-texts/find-email-text.ts')['findEmailText']
