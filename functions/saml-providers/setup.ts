import { normalizeUsername } from '../../lib/accounts/common/names.ts'
import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { consume } from '../../lib/accounts/common/throttle.ts'
import { checkDomain, createDomain } from '../../lib/accounts/saml/domains.ts'
import { importMetadata } from '../../lib/accounts/saml/provider-metadata.ts'
import { requireProvider } from '../../lib/accounts/saml/saml-context.ts'
import { encryptKeyPair, generateKeyPair } from '../../lib/accounts/saml/sp-keys.ts'
import {
  finishSetup,
  getUnknownEntityId,
  hasMetadata,
  isComplete,
  readPastedMetadata,
  type SetupChange,
  storeMetadata,
  storeSetupChange,
} from '../../lib/accounts/saml-setup/set-up-provider.ts'
import {
  addSetupLink,
  createSetupLink,
  endSetupLink,
  listOpenLinks,
  type NewSetupLink,
  requireSetup,
} from '../../lib/accounts/saml-setup/setup-links.ts'
import type {
  NewSAMLSetupLink,
  SAMLSetup,
  SAMLSetupLink,
} from '../../lib/contract/models/connections/saml-setup.ts'
import type { samlProviders } from '../../lib/contract/operations/saml-providers/providers.ts'
import { conflict, invalidRequest, requireFound } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { parseStoredCertificates } from '../../lib/saml/certificates.ts'
import { getServiceUrls } from '../../lib/saml/service-provider.ts'
import type { Services } from '../../lib/services.ts'
import type { Config } from '../../lib/settings/config.ts'
import {
  buildDomainStep,
  buildFreeDomainStep,
  DomainTaken,
  findDomainProviderId,
  normalizeDomain,
} from '../../lib/store/saml/saml-domains.ts'
import {
  allocateSamlProviderId,
  createSamlProvider,
  type SamlProviderRecord,
  type SetupLink,
} from '../../lib/store/saml/saml-providers.ts'
import { formatTime } from '../../lib/util/time.ts'
import { readNewDomain, toDomainBody } from './domains.ts'

/** Creates a provider with a name alone, and the first link with which a customer sets it up. */
export const createSamlSetup: UseCase<typeof samlProviders.createSamlSetup> = async (
  { body, principal, context },
  services,
) => {
  const { table, config, now } = services
  const id = await allocateSamlProviderId(table)
  const pair = await encryptKeyPair(services, id, await generateKeyPair(services))
  const created = createSetupLink(now(), id, principal.user.id)
  const fields = {
    name: body.name,
    normalizedName: normalizeUsername(body.name),
    disabledInClient: true,
    entityId: getUnknownEntityId(id),
    ssoUrl: `${config.publicUrl}/setup`,
    sloUrl: null,
    sloResponseUrl: null,
    // Until the metadata is known, this stands in its place: no one but this service has the key, which it never signs responses with.
    certificate: pair.certificate,
    spCertificate: pair.certificate,
    spCertificateKey: pair.key,
    nextSpPair: null,
    previousSpPair: null,
    nameidFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
    nameidAttribute: null,
    autoCreateUsers: body.auto_create_users ?? false,
    autoCreateGroups: false,
    autoSyncGroups: false,
    allowedGroups: null,
    userTemplate: null,
    metadataUrlSource: null,
    isMetadataSigned: false,
    setup: { links: [created.link] },
  }
  await createSamlProvider(table, id, fields, [
    auditStep(context, 'saml_provider.created', { target: String(id) }),
    auditStep(context, 'saml_setup.link_created', { target: `${id} ${created.link.id}` }),
  ])
  return { status: 201, body: toNewLinkBody(config, id, created) }
}

/** Creates another link of a provider that is being set up. */
export const createSamlSetupLink: UseCase<typeof samlProviders.createSamlSetupLink> = async (
  { params, principal, context },
  services,
) => {
  const provider = await requireProvider(services.table, params.id)
  const created = await addSetupLink(services, context, provider, principal.user.id)
  return { status: 201, body: toNewLinkBody(services.config, provider.id, created) }
}

export const getSamlSetupLinks: UseCase<typeof samlProviders.getSamlSetupLinks> = async (
  { params },
  { table, now },
) => {
  const provider = await requireProvider(table, params.id)
  return { status: 200, body: listOpenLinks(provider, now()).map(toLinkBody) }
}

export const revokeSamlSetupLink: UseCase<typeof samlProviders.revokeSamlSetupLink> = async (
  { params, context },
  services,
) => {
  const provider = await requireProvider(services.table, params.id)
  const links = listOpenLinks(provider, services.now())
  const link = requireFound(links.find(({ id }) => id === params.link))
  await endSetupLink(services, provider, link, [
    auditStep(context, 'saml_setup.link_revoked', { target: `${provider.id} ${link.id}` }),
  ])
  return { status: 204 }
}

const toNewLinkBody = (
  { publicUrl }: Config,
  providerId: number,
  { link, value }: NewSetupLink,
): NewSAMLSetupLink => ({
  id: link.id,
  saml_provider: providerId,
  url: `${publicUrl}/setup#token=${value}`,
  expires_at: formatTime(link.expiresAt),
})

const toLinkBody = ({ id, createdBy, createdAt, expiresAt, usedAt }: SetupLink): SAMLSetupLink => ({
  id,
  created_by: createdBy,
  created_at: formatTime(createdAt),
  expires_at: formatTime(expiresAt),
  used_at: usedAt === null ? null : formatTime(usedAt),
})

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
