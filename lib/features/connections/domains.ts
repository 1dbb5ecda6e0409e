import { randomBytes, timingSafeEqual } from 'node:crypto'
import { promises as dns } from 'node:dns'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildOwnersNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { domainLookupMs, txtRecordsRead } from '../../kernel/limits/connection-limits.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { readOrganizationPolicy } from '../organizations/policy.records.ts'
import { auditApprovalRequest } from './approval.ts'
import type { ConnectionContext } from './connection-context.ts'
import { type ConnectionDomainRecord, DomainTaken } from './domains.records.ts'
import { type Connection, editConnection } from './records.ts'

/**
 * Whether an organization can own a domain. No one owns public suffixes such as `co.uk`, and anyone gets names below
 * those of hosting companies.
 */
export const isOwnable = async (domain: string): Promise<boolean> => {
  const { parse } = await import('tldts')
  const { domain: registered, isIp } = parse(domain, { allowPrivateDomains: true })
  return registered !== null && isIp !== true
}

export const createDomain = (name: string): ConnectionDomainRecord => ({
  name,
  state: 'pending',
  txtValue: `latchkey-domain=${randomBytes(24).toString('base64url')}`,
  provenAt: null,
  checkedAt: null,
})

/** What the DNS says about the record of a domain. `unknown`: it gave no answer, which proves nothing. */
type DomainProof = 'found' | 'missing' | 'unknown'

/** The name of the record that proves a domain. */
export const getRecordName = (domain: string): string => `_latchkey.${domain}`

/** The DNS has no such name, or the name has no TXT record. Every other error says nothing about the record. */
const missingCodes: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

/**
 * Looks in the DNS for the record that proves a domain. It asks the resolver of the process only, and connects to nothing
 * that an answer names.
 */
const lookUpProof = async (domain: string, txtValue: string): Promise<DomainProof> => {
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

/**
 * Looks up the record of a domain. A record that was found proves the domain, and one that is missing ends the proof. If the
 * DNS does not answer, nothing changes. An administrator's word counts until the record is found.
 */
export const checkDomain = async (
  domain: ConnectionDomainRecord,
  nowMs: number,
): Promise<ConnectionDomainRecord> => {
  switch (await lookUpProof(domain.name, domain.txtValue)) {
    case 'found':
      return { ...domain, state: 'proven', provenAt: nowMs, checkedAt: nowMs }
    case 'missing':
      return { ...domain, state: domain.state === 'proven' ? 'lost' : domain.state, checkedAt: nowMs }
    case 'unknown':
      return domain
  }
}

/** The context of a request that concerns the domains of one connection. */
export type DomainContext = ConnectionContext

/** Builds the step that stores what happened to a domain. If the connection belongs to an organization, it sees that. */
export const auditDomain = (
  context: DomainContext['context'],
  { id, organization_id: organization }: Pick<Connection, 'id' | 'organization_id'>,
  change: 'added' | 'proven' | 'lost' | 'vouched' | 'removed',
  name: string,
): Step =>
  auditStep(context, `connection.domain_${change}`, {
    target: `${id} ${name}`,
    ...(organization !== null && { organization }),
  })

/** Lets each domain wait that is proven for the first time, if an administrator has to approve what the organization brings. */
const holdBackNew = async (
  { services, provider }: DomainContext,
  domains: readonly ConnectionDomainRecord[],
): Promise<readonly ConnectionDomainRecord[]> => {
  const states = new Map(provider.domains.map(({ name, state }) => [name, state]))
  const isNew = ({ name, state }: ConnectionDomainRecord): boolean =>
    state === 'proven' && (states.get(name) ?? 'pending') === 'pending'
  // Until a connection is live, it is approved with all of its domains.
  if (!provider.isFromOrganization || provider.setup || !domains.some(isNew)) return domains
  const { company_sign_in: allowed } = await readOrganizationPolicy(services.table)
  if (allowed === 'always') return domains
  return domains.map((domain) => (isNew(domain) ? { ...domain, awaitsApproval: true } : domain))
}

/**
 * Stores domains of a connection as they were checked, with an audit event for each that was proven or whose proof was lost.
 *
 * @throws EditConflict if the provider was changed or deleted since it was read
 * @throws DomainTaken if another provider owns a domain that was proven now
 */
export const storeDomains = async (
  concerned: DomainContext,
  checked: readonly ConnectionDomainRecord[],
  extraSteps: readonly Step[] = [],
): Promise<Connection> => {
  const { services, provider, context } = concerned
  const domains = await holdBackNew(concerned, checked)
  const isHeldBack = domains !== checked
  const before = new Map(provider.domains.map(({ name, state }) => [name, state]))
  const { organization_id: organizationId } = provider
  const auditSteps = domains.flatMap(({ name, state }) =>
    state === before.get(name) || (state !== 'proven' && state !== 'lost')
      ? []
      : [
          auditDomain(context, provider, state, name),
          ...(state === 'proven' && organizationId !== null
            ? [buildOwnersNoticeStep(context, { change: 'organization_domain_proven', organizationId, name })]
            : []),
        ],
  )
  return editConnection(services.table, provider, { domains }, [
    ...extraSteps,
    ...auditSteps,
    ...(isHeldBack ? [auditApprovalRequest(context, provider)] : []),
  ])
}

/**
 * Checks all domains of a provider, apart from those that an administrator vouches for. Returns the changed provider. A
 * domain that another provider proved first stays pending.
 */
export const checkAllDomains = async (concerned: DomainContext): Promise<Connection> => {
  const { services, provider } = concerned
  const checked = await Promise.all(
    provider.domains.map((domain) =>
      domain.state === 'vouched' ? domain : checkDomain(domain, services.now()),
    ),
  )
  const isFirstProof = (domain: ConnectionDomainRecord, at: number): boolean =>
    provider.domains[at]?.state === 'pending' && domain.state === 'proven'
  const known = checked.map((domain, at) =>
    isFirstProof(domain, at) ? (provider.domains[at] ?? domain) : domain,
  )
  const isChanged = known.some((domain, at) => domain !== provider.domains[at])
  let current: Connection = isChanged ? await storeDomains(concerned, known) : provider
  // Each first proof can fail, because another provider owns the domain. It must not stop the others.
  for (const proven of checked.filter(isFirstProof))
    current = await storeFirstProof({ ...concerned, provider: current }, proven)
  return current
}

const storeFirstProof = async (
  concerned: DomainContext,
  proven: ConnectionDomainRecord,
): Promise<Connection> => {
  try {
    return await replaceDomain(concerned, proven)
  } catch (error) {
    if (!(error instanceof DomainTaken)) throw error
    return concerned.provider
  }
}

/** Stores a domain of a connection as it was checked or vouched for, like `storeDomains`. */
export const replaceDomain = (
  concerned: DomainContext,
  next: ConnectionDomainRecord,
  extraSteps: readonly Step[] = [],
): Promise<Connection> =>
  storeDomains(
    concerned,
    concerned.provider.domains.map((domain) => (domain.name === next.name ? next : domain)),
    extraSteps,
  )
