import { domainToASCII } from 'node:url'
import { domainNameLength } from '../../limits/saml-limits.ts'

/** The characters of a domain before conversion. `domainToASCII` would also decode others, such as percent signs. */
const unicodeDomain = /^[\p{L}\p{M}\p{N}.-]+$/u
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const asciiDomain = new RegExp(`^(${label}\\.)+${label}$`)

/** The form in which domains are stored and compared: lowercase ASCII without a dot at the end. Undefined if invalid. */
export const normalizeDomain = (text: string): string | undefined => {
  const given = text.trim().replace(/\.$/, '')
  if (given.length > domainNameLength || !unicodeDomain.test(given)) return undefined
  const domain = domainToASCII(given)
  return domain.length <= domainNameLength && asciiDomain.test(domain) ? domain : undefined
}
