import { signInPageDomainsKey, signInPageEntryKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { type ConnectionDomainRecord, isUsableDomain } from './domains.records.ts'

/*
 * What the sign-in page has to know about all providers. The visible ones have an entry in one partition, so the page reads
 * the first of them in one call, no matter how many providers there are.
 */

/** A provider that the sign-in page shows. */
export interface PageEntry {
  readonly id: number
  readonly name: string
  readonly kind: string
  /** The provider that everybody can have an account at, whose logo the page shows. Missing for a company. */
  readonly preset?: string
}

const entryCodec = createCodec<PageEntry>('sign-in page entry', {
  id: 'number',
  kind: 'string',
  name: 'string',
})

export interface PageEntries {
  /** The visible providers with the lowest IDs. */
  readonly entries: readonly PageEntry[]
  /** Whether a domain leads to a provider, or did so once. */
  readonly hasDomains: boolean
}

/** Reads at most `limit` entries in one call. */
export const readPageEntries = async (table: Table, limit: number): Promise<PageEntries> => {
  const { pk, sk } = signInPageDomainsKey
  const items = await table.page({ pk, limit: limit + 1 })
  const found = items.filter((item) => item.sk !== sk)
  return {
    entries: decodeListed(table, entryCodec, found).slice(0, limit),
    hasDomains: found.length < items.length,
  }
}

/** What the page has to know about a provider. */
interface PageFacts extends Omit<PageEntry, 'preset'> {
  readonly public_provider?: string | null | undefined
  readonly disabled_in_client: boolean
  readonly domains: readonly ConnectionDomainRecord[]
}

/** Builds the steps that keep the entries up to date when a provider is created, changed or deleted. */
export const buildPageEntrySteps = (
  before: PageFacts | undefined,
  after: PageFacts | undefined,
): readonly Step[] => [...buildEntrySteps(before, after), ...buildDomainsSteps(before, after)]

const buildEntrySteps = (before: PageFacts | undefined, after: PageFacts | undefined): readonly Step[] => {
  const [old, entry] = [toEntry(before), toEntry(after)]
  if (entry)
    return old?.name === entry.name
      ? []
      : [{ put: { ...signInPageEntryKey(entry.id), ...entryCodec.encode(entry) } }]
  return old ? [{ delete: signInPageEntryKey(old.id) }] : []
}

const toEntry = (provider: PageFacts | undefined): PageEntry | undefined =>
  provider && !provider.disabled_in_client
    ? {
        id: provider.id,
        kind: provider.kind,
        name: provider.name,
        ...(provider.public_provider && { preset: provider.public_provider }),
      }
    : undefined

/** The marker stays when the last domain is lost: counting domains would have parallel changes wait for each other. */
const buildDomainsSteps = (before: PageFacts | undefined, after: PageFacts | undefined): readonly Step[] =>
  after && hasUsableDomain(after) && !(before && hasUsableDomain(before))
    ? [{ put: { ...signInPageDomainsKey } }]
    : []

const hasUsableDomain = ({ domains }: PageFacts): boolean => domains.some(isUsableDomain)
