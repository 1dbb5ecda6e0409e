import { domainToASCII } from 'node:url'
import { ConflictError } from '../../errors/errors.ts'
import { domainNameLength } from '../../limits/saml-limits.ts'
import { isAbsent } from '../engine/expressions.ts'
import { createCodec, findRecord } from '../engine/records.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { samlDomainKey } from '../keys/keys.ts'

/*
 * The email domains of a provider. Their states are part of the provider's record, which each sign-in reads anyway.
 * Another item for each domain keeps it unique among all providers.
 */

/**
 * - `pending`: the record in the DNS was not found yet
 * - `proven`: the record was found
 * - `lost`: the record was found once, and is missing now
 * - `vouched`: an administrator vouches for it, without a proof
 */
export type SamlDomainState = 'pending' | 'proven' | 'lost' | 'vouched'

/** The states in which a domain counts. */
const usableStates: readonly SamlDomainState[] = ['proven', 'vouched']

export const isUsableDomain = ({ state }: Pick<SamlDomain, 'state'>): boolean => usableStates.includes(state)

export interface SamlDomain {
  /** Lowercase ASCII, without a dot at the end. */
  readonly name: string
  readonly state: SamlDomainState
  /** What the record in the DNS must contain. */
  readonly txtValue: string
  /** When the record was last found, in epoch milliseconds. */
  readonly provenAt: number | null
  /** When the DNS last gave an answer, in epoch milliseconds. */
  readonly checkedAt: number | null
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

/** A provider has this domain already. */
export class DomainTaken extends ConflictError {
  constructor() {
    super('domain_taken', 'a provider has this domain')
    this.name = 'DomainTaken'
  }
}

const markerCodec = createCodec<{ readonly providerId: number }>('SAML domain', { providerId: 'number' })

/** The ID of the provider that has a domain. */
export const findDomainProviderId = async (table: Table, name: string): Promise<number | undefined> =>
  (await findRecord(table, markerCodec, samlDomainKey(name)))?.providerId

/** Builds the step that gives a domain to a provider. It fails if any provider has it. */
export const buildDomainStep = (name: string, providerId: number): Step => ({
  put: { ...samlDomainKey(name), providerId },
  condition: isAbsent,
  orElse: () => new DomainTaken(),
})

export const buildFreeDomainStep = ({ name }: SamlDomain): Step => ({ delete: samlDomainKey(name) })
