import { timingSafeEqual } from 'node:crypto'
import { promises as dns } from 'node:dns'
import { domainLookupMs, txtRecordsRead } from '../../limits/saml-limits.ts'

/** What the DNS says about the record of a domain. `unknown`: it gave no answer, which proves nothing. */
export type DomainProof = 'found' | 'missing' | 'unknown'

/** The name of the record that proves a domain. */
export const getRecordName = (domain: string): string => `_latchkey.${domain}`

/** The DNS has no such name, or the name has no TXT record. Every other error says nothing about the record. */
const missingCodes: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

/**
 * Looks in the DNS for the record that proves a domain. It asks the resolver of the process only, and connects to nothing
 * that an answer names.
 */
export const lookUpProof = async (domain: string, txtValue: string): Promise<DomainProof> => {
  const resolver = new dns.Resolver({ timeout: domainLookupMs / 4, tries: 2 })
  resolver.setServers(dns.getServers())
  const timer = setTimeout(() => resolver.cancel(), domainLookupMs)
  try {
    const records = await resolver.resolveTxt(getRecordName(domain))
    // Long values come in parts.
    const isFound = records.slice(0, txtRecordsRead).some((parts) => isSame(parts.join(''), txtValue))
    return isFound ? 'found' : 'missing'
  } catch (error) {
    return missingCodes.includes((error as NodeJS.ErrnoException).code) ? 'missing' : 'unknown'
  } finally {
    clearTimeout(timer)
  }
}

const isSame = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
