import { domainToASCII } from 'node:url'

const localPart = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/
/** What a domain may be written with; `domainToASCII` would read more into it, such as percent signs. */
const writtenDomain = /^[\p{L}\p{M}\p{N}.-]+$/u
const domainLabels =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * An address as mail is sent to it: its domain in ASCII (RFC 5890), in small letters. Undefined for what can't be
 * sent to: SES takes nothing but ASCII before the @, and one plain address (RFC 5321 4.5.3.1).
 */
export const toDeliverableAddress = (email: string): string | undefined => {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  const written = email.slice(at + 1)
  if (!localPart.test(local) || !writtenDomain.test(written)) return undefined
  const domain = domainToASCII(written)
  return domainLabels.test(domain) ? `${local}@${domain}` : undefined
}
