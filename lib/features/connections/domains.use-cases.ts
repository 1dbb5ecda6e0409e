import { consume } from '../../accounts/callers/throttle.ts'
import type { UseCase } from '../../http/use-case.ts'
import { conflict, invalidRequest, requireFound } from '../../kernel/errors/errors.ts'
import { domainsPerProvider } from '../../kernel/limits/connection-limits.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { requireCallerNotLockedOut } from '../sign-in/required-sign-in.ts'
import { requireConnection } from './connection-context.ts'
import type { ConnectionDomain } from './domains.models.ts'
import {
  type ConnectionDomainRecord,
  DomainTaken,
  findDomainProviderId,
  normalizeDomain,
} from './domains.records.ts'
import {
  auditDomain,
  checkDomain,
  createDomain,
  getRecordName,
  isOwnable,
  replaceDomain,
  storeDomains,
} from './domains.ts'
import type { connections } from './operations.ts'
import { isPublic } from './public-connections.ts'
import type { Connection } from './records.ts'

/** Lists the email domains of a company connection, of either kind. */
export const getConnectionDomains: UseCase<typeof connections.getConnectionDomains> = async (
  { params },
  { table },
) => ({
  status: 200,
  body: (await requireConnection(table, params.id)).domains.map(toDomainBody),
})

/** Gives a domain to a provider, and looks for its record, which may be published already. */
export const createConnectionDomain: UseCase<typeof connections.createConnectionDomain> = async (
  { params, body, principal, context },
  services,
) => {
  const { table } = services
  const provider = await requireConnection(table, params.id)
  const name = await readNewDomain(provider, body.domain)
  // A proof decides, in one transaction. Checking first saves a lookup in the DNS.
  if ((await findDomainProviderId(table, name)) !== undefined) throw new DomainTaken()
  await consume(services, 'domainChecks', String(principal.user.id))
  const added = createDomain(name)
  requireCallerNotLockedOut(principal, { ...provider, domains: [added] }, 'domain')
  const domain = await checkDomain(added, services.now())
  await storeDomains(
    { services, provider, context },
    [...provider.domains, domain],
    [auditDomain(context, provider, 'added', name)],
  )
  return { status: 201, body: toDomainBody(domain) }
}

export const readNewDomain = async (
  { domains, public_provider }: Pick<Connection, 'domains' | 'public_provider'>,
  text: string,
): Promise<string> => {
  const name = normalizeDomain(text)
  const refuse = (message: string) => invalidRequest([{ field: 'domain', message }])
  if (name === undefined) throw refuse('must be a domain such as example.com')
  if (isPublic({ public_provider })) throw refuse('is only for the identity provider of a company')
  if (!(await isOwnable(name))) throw refuse('must be a domain that an organization can own')
  if (domains.some((one) => one.name === name)) throw conflict('The connection has this domain already.')
  if (domains.length >= domainsPerProvider)
    throw refuse(`is one too many: a provider has at most ${domainsPerProvider} domains`)
  return name
}

/** Looks up the record of a domain now. */
export const checkConnectionDomain: UseCase<typeof connections.checkConnectionDomain> = async (
  { params, principal, context },
  services,
) => {
  const { provider, domain } = await requireDomain(services, params)
  await consume(services, 'domainChecks', String(principal.user.id))
  const checked = await checkDomain(domain, services.now())
  if (checked !== domain) await replaceDomain({ services, provider, context }, checked)
  return { status: 200, body: toDomainBody(checked) }
}

/** @throws AppError `conflict` because a link must not turn the word of an administrator into a sign-in */
const refuseInSetup = ({ setup }: Pick<Connection, 'setup'>): void => {
  if (setup) throw conflict('The connection is being set up. Its domains need a record in the DNS.')
}

/** Lets a domain count without a proof. */
export const vouchForConnectionDomain: UseCase<typeof connections.vouchForConnectionDomain> = async (
  { params, context },
  services,
) => {
  const { provider, domain } = await requireDomain(services, params)
  refuseInSetup(provider)
  const vouched: ConnectionDomainRecord = { ...domain, state: 'vouched' }
  if (domain.state !== 'vouched')
    await replaceDomain({ services, provider, context }, vouched, [
      auditDomain(context, provider, 'vouched', domain.name),
    ])
  return { status: 200, body: toDomainBody(vouched) }
}

/** Takes a domain from a provider. Accounts that were connected by it stay connected. */
export const deleteConnectionDomain: UseCase<typeof connections.deleteConnectionDomain> = async (
  { params, context },
  services,
) => {
  const { provider, domain } = await requireDomain(services, params)
  const others = provider.domains.filter(({ name }) => name !== domain.name)
  await storeDomains({ services, provider, context }, others, [
    auditDomain(context, provider, 'removed', domain.name),
  ])
  return { status: 204 }
}

interface DomainParams {
  readonly id: number
  readonly domain: string
}

const requireDomain = async (
  { table }: Services,
  { id, domain }: DomainParams,
): Promise<{ readonly provider: Connection; readonly domain: ConnectionDomainRecord }> => {
  const provider = await requireConnection(table, id)
  const name = normalizeDomain(domain)
  return {
    provider,
    domain: requireFound(
      provider.domains.find((one) => one.name === name),
      'domain',
      'Use a domain that this connection has.',
    ),
  }
}

export const toDomainBody = ({
  name,
  state,
  awaitsApproval,
  txtValue,
  provenAt,
  checkedAt,
}: ConnectionDomainRecord): ConnectionDomain => ({
  domain: name,
  state,
  awaits_approval: awaitsApproval === true,
  txt_name: getRecordName(name),
  txt_value: txtValue,
  proven_at: provenAt === null ? null : formatTime(provenAt),
  checked_at: checkedAt === null ? null : formatTime(checkedAt),
})
