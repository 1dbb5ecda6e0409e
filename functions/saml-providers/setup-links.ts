import { normalizeUsername } from '../../lib/accounts/common/names.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { requireProvider } from '../../lib/accounts/saml/require-provider.ts'
import { encryptKeyPair, generateKeyPair } from '../../lib/accounts/saml/sp-keys.ts'
import { getUnknownEntityId } from '../../lib/accounts/saml-setup/set-up-provider.ts'
import {
  addSetupLink,
  createSetupLink,
  endSetupLink,
  listOpenLinks,
  type NewSetupLink,
} from '../../lib/accounts/saml-setup/setup-links.ts'
import type { NewSAMLSetupLink, SAMLSetupLink } from '../../lib/contract/models/connections/saml-setup.ts'
import type { samlProviders } from '../../lib/contract/operations/saml-providers/providers.ts'
import { requireFound } from '../../lib/errors/require-found.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Config } from '../../lib/settings/config.ts'
import {
  allocateSamlProviderId,
  createSamlProvider,
  type SetupLink,
} from '../../lib/store/saml/saml-providers.ts'
import { formatTime } from '../../lib/util/format-time.ts'

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
