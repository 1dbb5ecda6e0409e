import { toDeliverableAddress } from '../../accounts/outbox/mail-addresses.ts'
import { isDisplayText } from '../../kernel/contract/text-rules.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { readMailSender } from '../../kernel/settings/mail-sender.ts'
import type { Services } from '../../services.ts'
import { type Branding, nameOwner } from '../branding/brand.models.ts'
import type { OrganizationRecord } from '../organizations/records.ts'
import { hasAddress } from '../organizations/text-rules.models.ts'
import type { EmailTextKind } from './own-texts/kinds.models.ts'
import { isOwn, type OwnDomains } from './own-texts/markup.ts'
import { getAddressDomain, listProvenDomains, listServiceDomains } from './own-texts/own-domains.ts'
import { containsName, toOneLine } from './user-text.ts'

/*
 * The name before the address of the service, and where answers go. The address itself never changes, so that SES sends with the identity
 * that it has verified. Both are checked again for each email, because a domain can be lost after they were saved.
 */

/** What an email says about its sender besides the address of the service. */
export interface EmailSender {
  readonly name?: string
  readonly replyTo?: string
}

/** The emails that a product or an organization causes. All others come from the service alone. */
const kinds: readonly EmailTextKind[] = ['invitation', 'organization_invitation', 'access_link']

export const senderNameRule =
  'must be one line of visible characters, without an address, a domain, or characters that change the direction of text'

/** Invisible characters, apart from those that join letters and emoji, and characters without a meaning. */
const unusable = /(?![\u200c\u200d])\p{Cf}|\p{Co}|\p{Cn}/u

/** The name as it is stored. Undefined if it breaks the rule. */
export const normalizeSenderName = (text: string): string | undefined => {
  const name = text.trim().normalize('NFC')
  const isPlain = toOneLine(name, name.length) === name && !unusable.test(name) && !/["\uff02]/u.test(name)
  return isPlain && isDisplayText(name) && /[\p{L}\p{N}]/u.test(name) && !hasAddress(name) ? name : undefined
}

/** The address as it is stored. Undefined if it is none of these domains. */
export const normalizeReplyTo = (text: string, own: OwnDomains): string | undefined => {
  const address = /[\s\p{C},;<>"%!]/u.test(text) ? undefined : toDeliverableAddress(text)
  return address !== undefined && isOwn(getAddressDomain(address), own) ? address : undefined
}

/** Whether the service and its products may let people answer to an address. */
export const isServiceReplyTo = (config: Config, address: string | null | undefined): boolean =>
  address != null && normalizeReplyTo(address, listServiceDomains(config)) !== undefined

interface SenderOf {
  readonly kind: EmailTextKind | undefined
  /** The branding of the service or the product, without that of an organization. */
  readonly branding: Branding
  readonly organization?: Pick<OrganizationRecord, 'id' | 'branding'> | undefined
}

/** The sender of an email. It never fails: what cannot be checked is not used. */
export const findEmailSender = async (
  services: Services,
  { kind, branding, organization }: SenderOf,
): Promise<EmailSender | undefined> => {
  if (!kind || !kinds.includes(kind)) return undefined
  const { config, log } = services
  const { sender_name: name, reply_to: replyTo } = branding
  const ofProduct = {
    ...(name != null && normalizeSenderName(name) === name && { name }),
    ...(replyTo != null && isServiceReplyTo(config, replyTo) && { replyTo }),
  }
  if (kind !== 'organization_invitation' || !organization) return ofProduct
  try {
    return { ...ofProduct, ...(await findOrganizationSender(services, branding, organization)) }
  } catch (error) {
    log.error('mail.sender_not_read', { organization: organization.id, error })
    return ofProduct
  }
}

/** Anyone may have an organization, so only one with a proven domain has a sender, and its name stands before that of the product. */
const findOrganizationSender = async (
  { table, log }: Services,
  { product_name: product, sender_name: productSender }: Branding,
  { id, branding }: NonNullable<SenderOf['organization']>,
): Promise<EmailSender> => {
  const { sender_name: name, reply_to: replyTo } = branding ?? {}
  if (name == null && replyTo == null) return {}
  const domains = await listProvenDomains(table, id)
  const isNameUsed =
    name != null &&
    domains.length > 0 &&
    normalizeSenderName(name) === name &&
    !containsName(name, product) &&
    !containsName(name, productSender ?? product)
  const isReplyUsed = replyTo != null && normalizeReplyTo(replyTo, { hosts: [], domains }) !== undefined
  if ((name != null && !isNameUsed) || (replyTo != null && !isReplyUsed))
    log.warn('mail.sender_refused', { organization: id, name: isNameUsed, reply_to: isReplyUsed })
  return {
    ...(isNameUsed && { name: nameOwner(name, productSender ?? product) }),
    ...(isReplyUsed && { replyTo }),
  }
}

/** The sender of an email as people read it. */
export const describeSender = (
  { mailFrom }: Pick<Config, 'mailFrom'>,
  { name, replyTo }: EmailSender = {},
): { readonly from: string | null; readonly replyTo: string | null } => {
  const sender = readMailSender(mailFrom ?? '')
  const shown = name === undefined ? mailFrom?.trim() : `${name} <${sender?.address}>`
  return { from: (sender && shown) ?? null, replyTo: replyTo ?? null }
}
