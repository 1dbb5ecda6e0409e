import { domainToASCII } from 'node:url'
import { ConflictError } from '../../kernel/errors/errors.ts'
import { domainNameLength } from '../../kernel/limits/connection-limits.ts'
import { isAbsent } from '../../kernel/table/expressions.ts'
import { connectionDomainKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'

/*
 * The email domains of a provider. Their states are part of the provider's record, which each sign-in reads anyway.
 * Another item, the marker, keeps a domain unique among all providers, from its proof on. A domain that is only claimed has
 * no marker, so a claim shuts no one out: the first proof decides. The marker also says whether the provider is the only way
 * to sign in for the people of the domain. The transaction that changes the provider keeps it up to date.
 */

/**
 * - `pending`: the record in the DNS was not found yet
 * - `proven`: the record was found
 * - `lost`: the record was found once, and is missing now
 * - `vouched`: an administrator vouches for it, without a proof
 */
export type DomainState = 'pending' | 'proven' | 'lost' | 'vouched'

/** The states in which a domain counts, unless it waits for an approval. */
const usableStates: readonly DomainState[] = ['proven', 'vouched']

/** Whether a domain is proven or vouched for. */
export const isProvenDomain = ({ state }: Pick<ConnectionDomainRecord, 'state'>): boolean =>
  usableStates.includes(state)

/** Whether addresses in a domain count. */
export const isUsableDomain = (domain: Pick<ConnectionDomainRecord, 'state' | 'awaitsApproval'>): boolean =>
  isProvenDomain(domain) && domain.awaitsApproval !== true

export interface ConnectionDomainRecord {
  /** Lowercase ASCII, without a dot at the end. */
  readonly name: string
  readonly state: DomainState
  /** What the record in the DNS must contain. */
  readonly txtValue: string
  /** When the record was last found, in epoch milliseconds. */
  readonly provenAt: number | null
  /** When the DNS last gave an answer, in epoch milliseconds. */
  readonly checkedAt: number | null
  /** Whether an organization added it to its live connection, and an administrator of the service has to approve it. */
  readonly awaitsApproval?: true
}

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

/** Another provider owns this domain. */
export class DomainTaken extends ConflictError {
  constructor() {
    super('domain_taken', 'another provider owns this domain')
    this.name = 'DomainTaken'
  }
}

/** The provider that owns a domain. */
interface DomainMarker {
  readonly providerId: number
  /** The organization of the provider. The sign-in page reads both together. Missing for a provider of the whole service. */
  readonly organization?: number
  /** Whether people with a verified address in the domain can sign in only with the provider. Missing if not. */
  readonly isRequired?: true
}

const markerCodec = createCodec<DomainMarker>('domain of a connection', {
  providerId: 'number',
})

export const findDomainMarker = (table: Table, name: string): Promise<DomainMarker | undefined> =>
  findRecord(table, markerCodec, connectionDomainKey(name))

/** The ID of the provider that owns a domain. */
export const findDomainProviderId = async (table: Table, name: string): Promise<number | undefined> =>
  (await findDomainMarker(table, name))?.providerId

interface DomainOwner {
  readonly id: number
  readonly organization_id: number | null
  readonly domains: readonly ConnectionDomainRecord[]
  readonly required_for_domains: boolean
  /** While a provider is being set up, no one signs in with it, so it is not required. */
  readonly setup?: object | null | undefined
}

/**
 * The domains that belong to a provider, and whether each of them requires it. A lost one still belongs to it, so that no one
 * takes it over while its record is missing, and requires it no longer.
 */
const listOwned = (owner: DomainOwner | undefined): ReadonlyMap<string, boolean> =>
  new Map(
    owner?.domains
      .filter(({ state }) => state !== 'pending')
      .map((domain) => [domain.name, owner.required_for_domains && !owner.setup && isUsableDomain(domain)]),
  )

/** Whether a change requires a provider for a domain for which it was not. */
export const requiresMoreDomains = (before: DomainOwner | undefined, after: DomainOwner): boolean => {
  const old = listOwned(before)
  return [...listOwned(after)].some(([name, isRequired]) => isRequired && old.get(name) !== true)
}

/**
 * Builds the steps that give a provider the domains that were proven or vouched for, note which of them require it, and free
 * those that it no longer owns. They fail with `DomainTaken` if another provider was first.
 */
export const buildDomainSteps = (
  before: DomainOwner | undefined,
  after: DomainOwner | undefined,
): readonly Step[] => {
  const [old, owned] = [listOwned(before), listOwned(after)]
  return [
    ...[...owned]
      .filter(([name, isRequired]) => old.get(name) !== isRequired)
      .map(([name, isRequired]) => ({
        put: {
          ...connectionDomainKey(name),
          providerId: after?.id,
          ...(after?.organization_id != null && { organization: after.organization_id }),
          ...(isRequired && { isRequired }),
        },
        // One that belongs to the provider changes only together with it.
        ...(!old.has(name) && { condition: isAbsent, orElse: () => new DomainTaken() }),
      })),
    ...[...old.keys()]
      .filter((name) => !owned.has(name))
      .map((name) => ({ delete: connectionDomainKey(name) })),
  ]
}
