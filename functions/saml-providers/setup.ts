import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import { consume } from '../../lib/accounts/common/throttle.ts'
import { checkDomain, createDomain } from '../../lib/accounts/saml/domains.ts'
import { importMetadata } from '../../lib/accounts/saml/import-metadata.ts'
import {
  finishSetup,
  hasMetadata,
  isComplete,
  readPastedMetadata,
  type SetupChange,
  storeMetadata,
  storeSetupChange,
} from '../../lib/accounts/saml-setup/set-up-provider.ts'
import { requireSetup } from '../../lib/accounts/saml-setup/setup-links.ts'
import type { SAMLSetup } from '../../lib/contract/models/connections/saml-setup.ts'
import type { samlProviders } from '../../lib/contract/operations/saml-providers/providers.ts'
import { conflict, invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { parseStoredCertificates } from '../../lib/saml/certificates.ts'
import { getServiceUrls } from '../../lib/saml/service-provider.ts'
import type { Services } from '../../lib/services.ts'
import {
  buildDomainStep,
  buildFreeDomainStep,
  DomainTaken,
  findDomainProviderId,
  normalizeDomain,
} from '../../lib/store/saml/saml-domains.ts'
import type { SamlProviderRecord, SetupLink } from '../../lib/store/saml/saml-providers.ts'
import { formatTime } from '../../lib/util/format-time.ts'
import { readNewDomain, toDomainBody } from './domains.ts'

/** Shows the holder of a link their connection. */
export const findSamlSetup: UseCase<typeof samlProviders.findSamlSetup> = async (
  { body, context },
  services,
) => {
  const { provider, link } = await requireSetup(services, context, body.token)
  return { status: 200, body: toSetupBody(services, provider, link) }
}

/** Finds the connection of a link that is about to change it, and counts the change. */
const startChange = async (
  services: Services,
  context: RequestContext,
  token: string,
): Promise<SetupChange> => {
  const found = await requireSetup(services, context, token)
  await consume(services, 'samlSetupChanges', String(found.provider.id))
  return { ...found, services, context }
}

/** Stores the metadata of the identity provider, from an address or as it was pasted. */
export const setSamlSetupMetadata: UseCase<typeof samlProviders.setSamlSetupMetadata> = async (
  { body: { token, url, xml }, context },
  services,
) => {
  if ((url === undefined) === (xml === undefined))
    throw invalidRequest([{ field: 'url', message: 'or `xml` is required, and not both' }])
  const change = await startChange(services, context, token)
  const found =
    xml === undefined
      ? await importMetadata(services, url ?? '', { findStored: async () => undefined })
      : await readPastedMetadata(services, xml)
  const provider = await storeMetadata(change, found, url ?? null)
  return { status: 200, body: toSetupBody(services, provider, change.link) }
}

/** Adds a domain, or looks for the record of one that the connection has. */
export const checkSamlSetupDomain: UseCase<typeof samlProviders.checkSamlSetupDomain> = async (
  { body, context },
  services,
) => {
  const change = await startChange(services, context, body.token)
  const { provider, link } = change
  const { domains } = provider
  const known = domains.find(({ name }) => name === normalizeDomain(body.domain))
  const name = known?.name ?? (await readNewDomain(provider, body.domain))
  if (!known && (await findDomainProviderId(services.table, name)) !== undefined) throw new DomainTaken()
  const before = known ?? createDomain(name)
  const checked = await checkDomain(before, services.now())
  const next = known ? domains.map((domain) => (domain === known ? checked : domain)) : [...domains, checked]
  const steps = known ? [] : [buildDomainStep(name, provider.id)]
  const stored = await storeSetupChange(change, { domains: next }, `${checked.state} ${name}`, steps)
  return { status: 200, body: toSetupBody(services, stored, link) }
}

/** Removes a domain that was never proven. */
export const removeSamlSetupDomain: UseCase<typeof samlProviders.removeSamlSetupDomain> = async (
  { body, context },
  services,
) => {
  const change = await startChange(services, context, body.token)
  const { provider, link } = change
  const name = normalizeDomain(body.domain)
  const domain = provider.domains.find((one) => one.name === name)
  if (domain?.state !== 'pending') throw conflict('The connection has no such domain that is pending.')
  const others = provider.domains.filter((one) => one !== domain)
  const steps = [buildFreeDomainStep(domain)]
  const stored = await storeSetupChange(change, { domains: others }, `removed ${domain.name}`, steps)
  return { status: 200, body: toSetupBody(services, stored, link) }
}

/** Takes the connection live, and ends its links. */
export const finishSamlSetup: UseCase<typeof samlProviders.finishSamlSetup> = async (
  { body, context },
  services,
) => {
  const change = await startChange(services, context, body.token)
  return { status: 200, body: toSetupBody(services, await finishSetup(change), change.link) }
}

const toSetupBody = ({ config }: Services, provider: SamlProviderRecord, link: SetupLink): SAMLSetup => {
  const urls = getServiceUrls(config.publicUrl, provider.id)
  return {
    name: provider.name,
    expires_at: formatTime(link.expiresAt),
    service_entity_id: urls.metadata,
    assertion_url: urls.assertion,
    metadata_url: urls.metadata,
    idp: hasMetadata(provider)
      ? {
          entity_id: provider.entityId,
          sso_url: provider.ssoUrl,
          certificates: parseStoredCertificates(provider.certificate).map(({ endsAt }) => ({
            expires_at: formatTime(endsAt),
          })),
        }
      : null,
    domains: provider.domains.map(toDomainBody),
    can_finish: isComplete(provider),
    is_finished: !provider.setup,
  }
}
