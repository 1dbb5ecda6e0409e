import { AppError, conflict, invalidRequest } from '../../errors/errors.ts'
import { joinCertificates } from '../../saml/certificates.ts'
import type { IdentityProvider } from '../../saml/metadata/identity-provider.ts'
import { MetadataError } from '../../saml/metadata/metadata-error.ts'
import type { Services } from '../../services.ts'
import type { Step } from '../../store/engine/transaction.ts'
import {
  editSamlProvider,
  type SamlProviderFields,
  type SamlProviderRecord,
  type SetupLink,
} from '../../store/saml/saml-providers.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { diffFields } from '../directory/user-changes.ts'
import { createDomain } from '../saml/domains.ts'
import { getAddressRules } from '../saml/provider-validation.ts'
import type { FoundSetup } from './setup-links.ts'

/** The entity ID of a provider whose metadata is not known yet. Only a provider in set-up can have it. */
export const getUnknownEntityId = (id: number): string => `urn:latchkey:setup:${id}`

export const hasMetadata = ({ id, entityId }: SamlProviderRecord): boolean =>
  entityId !== getUnknownEntityId(id)

/** Reads metadata that the holder of a link pasted. Its signature proves nothing, because they chose it. */
export const readPastedMetadata = async (
  { config, now }: Services,
  xml: string,
): Promise<IdentityProvider> => {
  const { readIdentityProvider } = await import('../../saml/metadata/identity-provider.ts')
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
  })

/**
 * Stores a change by the holder of a link, together with the time at which the link was used.
 *
 * @throws EditConflict if the provider was changed, or the link was revoked, since they were read
 */
export const storeSetupChange = (
  change: SetupChange,
  changes: Partial<SamlProviderFields>,
  what: string,
  extraSteps: readonly Step[] = [],
): Promise<SamlProviderRecord> => {
  const { services, provider, link } = change
  return editSamlProvider(
    services.table,
    provider,
    { setup: { links: markUsed(provider, link, services.now()) }, ...changes },
    [...extraSteps, auditChange(change, what)],
  )
}

const markUsed = ({ setup }: SamlProviderRecord, { id }: SetupLink, usedAt: number): readonly SetupLink[] =>
  (setup?.links ?? []).map((link) => (link.id === id ? { ...link, usedAt } : link))

/**
 * Stores the metadata of an identity provider. The domains then need a new proof, with new records. Otherwise someone who
 * got the link could replace the metadata, and sign in as the people of a domain that the company has proven.
 */
export const storeMetadata = (
  change: SetupChange,
  found: IdentityProvider,
  url: string | null,
): Promise<SamlProviderRecord> => {
  const { provider } = change
  const changes = diffFields<SamlProviderFields>(provider, {
    entityId: found.entityId,
    ssoUrl: found.ssoUrl,
    sloUrl: found.sloUrl ?? null,
    sloResponseUrl: found.sloResponseUrl ?? null,
    certificate: joinCertificates(found.certificates),
    metadataUrlSource: url,
    isMetadataSigned: url !== null && found.isSigned,
  })
  const domains = provider.domains.map(({ name }) => createDomain(name))
  return storeSetupChange(
    change,
    Object.keys(changes).length === 0 ? {} : { ...changes, domains },
    `metadata ${found.entityId}`.slice(0, 300),
  )
}

/**
 * Takes the connection live. All of its links end.
 *
 * @throws AppError `conflict` with `setup_incomplete` if the metadata or a proven domain is missing
 */
export const finishSetup = (change: SetupChange): Promise<SamlProviderRecord> => {
  const { services, provider } = change
  if (!isComplete(provider))
    throw new AppError('conflict', {
      reason: 'setup_incomplete',
      detail: 'Send the metadata and prove a domain first.',
    })
  return editSamlProvider(services.table, provider, { setup: null }, [auditChange(change, 'finished')])
}

/** Whether the connection has all that it needs to go live. Only a record in the DNS proves a domain here. */
export const isComplete = (provider: SamlProviderRecord): boolean =>
  hasMetadata(provider) && provider.domains.some(({ state }) => state === 'proven')

/** @throws AppError `conflict` because a link must not turn the word of an administrator into a sign-in */
export const refuseInSetup = ({ setup }: { readonly setup?: SamlProviderRecord['setup'] }): void => {
  if (setup) throw conflict('The connection is being set up. Its domains need a record in the DNS.')
}
