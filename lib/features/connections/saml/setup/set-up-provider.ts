import { type Decision, isDecisionNamed, nameDecision } from '../../../../accounts/callers/decisions.ts'
import type { RequestContext } from '../../../../accounts/callers/request-context.ts'
import { auditStep } from '../../../../accounts/events/write-event.ts'
import { buildOutboxStep } from '../../../../accounts/outbox/outbox.records.ts'
import { diffFields } from '../../../../accounts/users/user-changes.ts'
import type { SettableBy } from '../../../../kernel/contract/field-rights.ts'
import { AppError, invalidRequest } from '../../../../kernel/errors/errors.ts'
import type { Step } from '../../../../kernel/table/transaction.ts'
import type { Services } from '../../../../services.ts'
import { getAddressRules } from '../../address-rules.ts'
import { auditApprovalRequest, chooseFinishedState } from '../../approval.ts'
import { createDomain } from '../../domains.ts'
import { editConnectionOf } from '../../records.ts'
import { joinCertificates, listFingerprints } from '../certificates.ts'
import type { IdentityProvider } from '../metadata/identity-provider.ts'
import { MetadataError } from '../metadata/metadata-error.ts'
import type { samlFields } from '../models.ts'
import { isUnknownEntityId, type SamlChanges, type SamlConnection, samlKind } from '../records.ts'
import type { FoundSetup } from './setup-links.ts'

export const hasMetadata = ({ entity_id }: SamlConnection): boolean => !isUnknownEntityId(entity_id)

/** Reads metadata that the holder of a link pasted. Its signature proves nothing, because they chose it. */
export const readPastedMetadata = async (
  { config, now }: Services,
  xml: string,
): Promise<IdentityProvider> => {
  const { readIdentityProvider } = await import('../metadata/identity-provider.ts')
  try {
    return await readIdentityProvider(Buffer.from(xml), { ...getAddressRules(config), nowMs: now() })
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error
    throw invalidRequest([{ field: 'xml', message: error.message.replace(/^leads to/, 'is') }])
  }
}

/** The context of a change that the holder of a link makes. */
export interface SetupChange extends FoundSetup {
  readonly services: Services
  readonly context: RequestContext
}

/** The audit event of a change by a link. It names the link, its creator, and what changed. */
const auditChange = ({ context, provider, link }: SetupChange, what: string): Step =>
  auditStep(context, 'saml_setup.changed', {
    target: `${provider.id} ${link.id} ${link.createdBy} ${what}`,
    ...(provider.organization_id !== null && { organization: provider.organization_id }),
  })

/** Whose certificates count: what someone must compare who knows the company. */
const describeMetadata = (
  provider: Pick<SamlConnection, 'entity_id' | 'certificate' | 'proposedMetadataUrl'>,
) =>
  [
    `metadata ${provider.entity_id}`.slice(0, 300),
    provider.proposedMetadataUrl ? `from ${provider.proposedMetadataUrl}`.slice(0, 300) : 'pasted',
    ...listFingerprints(provider).map((fingerprint) => `sha256 ${fingerprint}`),
  ].join(', ')

/** The email to the creator of a link. It contains what changed, because that may change again before it is sent. */
const buildMailStep = (
  { services, context, link }: SetupChange,
  step: 'metadata' | 'live',
  provider: Pick<SamlConnection, 'id' | 'entity_id' | 'certificate' | 'domains' | 'proposedMetadataUrl'>,
): Step => {
  const job = {
    kind: 'saml_setup' as const,
    step,
    userId: link.createdBy,
    providerId: provider.id,
    entityId: provider.entity_id,
    source: provider.proposedMetadataUrl ?? '',
    fingerprints: listFingerprints(provider),
    domains: provider.domains.filter(({ state }) => state === 'proven').map(({ name }) => name),
  }
  return buildOutboxStep(job, context, services.now())
}

/** What is no field for the holder of a link. They prove domains, and end a daily refresh. */
type ReservedField = Exclude<keyof typeof samlFields, SettableBy<typeof samlFields, 'setup_link'> | 'domains'>
type SetupChanges = Omit<SamlChanges, ReservedField> & { readonly metadata_url_source?: null }

/**
 * Stores a change by the holder of a link, together with the time at which the link was used.
 *
 * @throws EditConflict if the provider was changed, or the link was revoked, since they were read
 * @throws DomainTaken if another provider owns a domain that was proven now
 */
export const storeSetupChange = (
  { services, context, provider, link }: SetupChange,
  changes: SetupChanges,
  what: string,
  extraSteps: readonly Step[] = [],
): Promise<SamlConnection> =>
  editConnectionOf(
    services.table,
    samlKind,
    provider,
    { setup: { link: { ...link, usedAt: services.now() } }, ...changes },
    [...extraSteps, auditChange({ services, context, provider, link }, what)],
  )

/**
 * Stores the metadata of an identity provider. The domains then need a new proof, with new records, because a proof counts for
 * the metadata that was there when it was made. The address of the metadata is only a proposal: someone who controls it could
 * add a certificate long after the connection went live.
 */
export const storeMetadata = (
  change: SetupChange,
  found: IdentityProvider,
  url: string | null,
): Promise<SamlConnection> => {
  const { provider } = change
  const next = {
    entity_id: found.entityId,
    sso_url: found.ssoUrl,
    slo_url: found.sloUrl ?? null,
    sloResponseUrl: found.sloResponseUrl ?? null,
    certificate: joinCertificates(found.certificates),
    metadata_url_source: null,
    proposedMetadataUrl: url,
    isMetadataSigned: false,
  }
  const changes = diffFields<SetupChanges>(provider, next)
  const what = describeMetadata(next)
  if (Object.keys(changes).length === 0) return storeSetupChange(change, {}, what)
  const domains = provider.domains.map(({ name }) => createDomain(name))
  return storeSetupChange(change, { ...changes, domains }, what, [
    buildMailStep(change, 'metadata', { ...provider, ...next, domains }),
  ])
}

/** What goes live, as the holder of the link sees it: the page shows all of it that a person can compare. */
export const nameSetup = (provider: SamlConnection): string => nameDecision(describeSetup(provider))

const describeSetup = (provider: SamlConnection): Decision => ({
  question: 'saml-setup',
  id: provider.id,
  principal: undefined,
  shown: {
    entityId: provider.entity_id,
    ssoUrl: provider.sso_url,
    sloUrl: provider.slo_url,
    sloResponseUrl: provider.sloResponseUrl,
    source: provider.proposedMetadataUrl ?? null,
    fingerprints: listFingerprints(provider),
    domains: provider.domains.map(({ name, state }) => [name, state]),
  },
})

/**
 * Takes the connection live, if it is as the answer `shown` names it. Its link ends.
 *
 * @throws AppError `conflict` with `setup_incomplete` if the metadata or a proven domain is missing
 * @throws AppError `conflict` with `setup_changed` if it is not what was shown
 * @throws AppError `permission_denied` if organizations may not bring providers any more
 * @throws EntityIdTaken if another provider that is live has its entity ID
 */
export const finishSetup = async (change: SetupChange, shown: string): Promise<SamlConnection> => {
  const { services, provider } = change
  if (!isComplete(provider))
    throw new AppError('conflict', {
      reason: 'setup_incomplete',
      detail: 'Send the metadata and prove a domain first.',
    })
  if (!isDecisionNamed(describeSetup(provider), shown))
    throw new AppError('conflict', {
      reason: 'setup_changed',
      detail: 'The connection has changed since it was shown. Nothing went live. Look at it again.',
    })
  const setup = await chooseFinishedState(services.table, provider)
  return editConnectionOf(services.table, samlKind, provider, { setup }, [
    auditChange(change, `finished, ${describeMetadata(provider)}`),
    ...(setup ? [auditApprovalRequest(change.context, provider)] : [buildMailStep(change, 'live', provider)]),
  ])
}

/** Whether the connection has all that it needs to go live. Only a record in the DNS proves a domain here. */
export const isComplete = (provider: SamlConnection): boolean =>
  hasMetadata(provider) && provider.domains.some(({ state }) => state === 'proven')
