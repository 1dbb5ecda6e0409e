import { domainToASCII } from 'node:url'
import type { Services } from '../../services.ts'
import { fitsKey, normalizeEmail } from '../names/names.ts'
import { findSuppression } from './suppressed-addresses.records.ts'

/** The address of a mailbox. */
export interface MailAddress {
  /** The form that mail is sent to. */
  readonly address: string
  /** The form for limits and suppressions. Every known way to write the mailbox has the same one. */
  readonly normalized: string
}

/** Returns undefined for a text that mail cannot be sent to. */
export const parseMailAddress = (email: string): MailAddress | undefined => {
  const address = toDeliverableAddress(email)
  const normalized = normalizeEmail(address ?? '')
  return address !== undefined && fitsKey(normalized) ? { address, normalized } : undefined
}

/** Whether mail to an address bounced, or its owner complained. Such an address gets no mail. */
export const isSuppressed = async ({ table, now }: Services, { normalized }: MailAddress): Promise<boolean> =>
  (await findSuppression(table, normalized, now())) !== undefined

const localPart = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/
/** The characters of a domain before conversion. `domainToASCII` would also decode others, such as percent signs. */
const unicodeDomain = /^[\p{L}\p{M}\p{N}.-]+$/u
const asciiDomain = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Converts an address to the form in which email is sent to it: the domain in lowercase ASCII (RFC 5890). Returns
 * undefined if email cannot be sent there: SES accepts one plain address (RFC 5321 4.5.3.1), in ASCII before the @.
 */
export const toDeliverableAddress = (email: string): string | undefined => {
  const at = email.lastIndexOf('@')
  // Without an @, the parts would be the text without its last character and the whole text.
  if (at < 0) return undefined
  const local = email.slice(0, at)
  const domain = email.slice(at + 1)
  if (!localPart.test(local) || !unicodeDomain.test(domain)) return undefined
  const converted = domainToASCII(domain)
  return asciiDomain.test(converted) ? `${local}@${converted}` : undefined
}
