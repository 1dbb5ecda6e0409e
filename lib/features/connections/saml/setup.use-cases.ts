import { auditStep } from '../../../accounts/events/write-event.ts'
import { buildSetupCookie, toSetupRequest } from '../../../http/setup-cookie.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { conflict, invalidRequest, notFound, requireFound } from '../../../kernel/errors/errors.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import { formatTime } from '../../../kernel/util/time.ts'
import { DomainTaken, findDomainProviderId, normalizeDomain } from '../domains.records.ts'
import { checkDomain, createDomain } from '../domains.ts'
import { readNewDomain } from '../domains.use-cases.ts'
import type { connections } from '../operations.ts'
import { chooseDefaultRoles } from '../organization-fields.ts'
import type { SetupLink } from '../records.ts'
import { importMetadata } from './provider-metadata.ts'
import { EntityIdTaken, findEntityIdOwner, isUnknownEntityId } from './records.ts'
import { requireProvider } from './saml-context.ts'
import { createSetup } from './setup/create-setup.ts'
import { finishSetup, readPastedMetadata, storeMetadata, storeSetupChange } from './setup/set-up-provider.ts'
import {
  endSetupLink,
  findOpenLink,
  getSetupUrl,
  type NewSetupLink,
  openSetup,
  replaceSetupLink,
} from './setup/setup-links.ts'
import type { NewSAMLSetupLink, SAMLSetupLink } from './setup.models.ts'
import { startSetupChange, toSetupBody } from './setup-changes.part.ts'

const noSetupLink = ['set-up link', 'It may have been used up, replaced or withdrawn.'] as const

/** Creates a provider with a name alone, and the first link with which a customer sets it up. */
export const createSamlSetup: UseCase<typeof connections.createSamlSetup> = async (
  { body, principal, context },
  services,
) => {
  const organization_id = body.organization_id ?? null
  const { connection, created } = await createSetup(
    services,
    context,
    { creator: principal.user, allowsDirectory: body.allows_directory ?? false },
    {
      organization_id,
      ...chooseDefaultRoles(organization_id),
      name: body.name,
      auto_create_users: body.auto_create_users ?? false,
    },
  )
  return { status: 201, body: toNewLinkBody(services.config, connection.id, created) }
}

/** Creates another link of a provider that is being set up. It replaces the one before, and the set-up starts again. */
export const createSamlSetupLink: UseCase<typeof connections.createSamlSetupLink> = async (
  { params, body, principal, context },
  services,
) => {
  const provider = await requireProvider(services.table, params.id)
  const created = await replaceSetupLink(services, context, provider, {
    creator: principal.user,
    allowsDirectory: body.allows_directory ?? false,
  })
  return { status: 201, body: toNewLinkBody(services.config, provider.id, created) }
}

export const getSamlSetupLinks: UseCase<typeof connections.getSamlSetupLinks> = async (
  { params },
  { table, now },
) => {
  const link = findOpenLink(await requireProvider(table, params.id), now())
  return { status: 200, body: link ? [toLinkBody(link)] : [] }
}

export const revokeSamlSetupLink: UseCase<typeof connections.revokeSamlSetupLink> = async (
  { params, context },
  services,
) => {
  const provider = await requireProvider(services.table, params.id)
  const link = requireFound(findOpenLink(provider, services.now()), ...noSetupLink)
  if (link.id !== params.link) throw notFound(...noSetupLink)
  await endSetupLink(services, provider, [
    auditStep(context, 'saml_setup.link_revoked', { target: `${provider.id} ${link.id}` }),
  ])
  return { status: 204 }
}

const toNewLinkBody = (
  config: Config,
  providerId: number,
  { link, value }: NewSetupLink,
): NewSAMLSetupLink => ({
  id: link.id,
  saml_provider: providerId,
  url: getSetupUrl(config, value),
  expires_at: formatTime(link.expiresAt),
})

const toLinkBody = ({
  id,
  createdBy,
  createdAt,
  expiresAt,
  usedAt,
  opened,
  allowsDirectory,
}: SetupLink): SAMLSetupLink => ({
  id,
  created_by: createdBy,
  created_at: formatTime(createdAt),
  expires_at: formatTime(expiresAt),
  used_at: usedAt === null ? null : formatTime(usedAt),
  opened_at: opened && formatTime(opened.at),
  opened_from: opened?.from ?? null,
  allows_directory: allowsDirectory === true,
})

/** Shows the holder of a link their connection. The first browser that asks gets the link, and a cookie that proves it. */
export const findSamlSetup: UseCase<typeof connections.findSamlSetup> = async (request, services) => {
  const { provider, link, secret } = await openSetup(services, toSetupRequest(services, request))
  return {
    status: 200,
    body: toSetupBody(services, provider, link),
    ...(secret !== undefined && { cookies: [buildSetupCookie(services.config, link.id, secret)] }),
  }
}

/** Stores the metadata of the identity provider, from an address or as it was pasted. */
export const setSamlSetupMetadata: UseCase<typeof connections.setSamlSetupMetadata> = async (
  request,
  services,
) => {
  const { url, xml } = request.body
  if ((url === undefined) === (xml === undefined))
    throw invalidRequest([{ field: 'url', message: 'or `xml` is required, and not both' }])
  const change = await startSetupChange(services, request)
  const found =
    xml === undefined
      ? await importMetadata(services, url ?? '', { findStored: async () => undefined })
      : await readPastedMetadata(services, xml)
  const field = xml === undefined ? 'url' : 'xml'
  if (isUnknownEntityId(found.entityId))
    throw invalidRequest([{ field, message: 'describes a connection that is being set up here' }])
  // Going live decides, in one transaction. Checking first says it before the work with the domains.
  const owner = await findEntityIdOwner(services.table, found.entityId)
  if (owner !== undefined && owner !== change.provider.id) throw new EntityIdTaken()
  const provider = await storeMetadata(change, found, url ?? null)
  return { status: 200, body: toSetupBody(services, provider, change.link) }
}

/** Adds a domain, or looks for the record of one that the connection has. */
export const checkSamlSetupDomain: UseCase<typeof connections.checkSamlSetupDomain> = async (
  request,
  services,
) => {
  const { body } = request
  const change = await startSetupChange(services, request)
  const { provider, link } = change
  const { domains } = provider
  const known = domains.find(({ name }) => name === normalizeDomain(body.domain))
  const name = known?.name ?? (await readNewDomain(provider, body.domain))
  if (!known && (await findDomainProviderId(services.table, name)) !== undefined) throw new DomainTaken()
  const before = known ?? createDomain(name)
  const checked = await checkDomain(before, services.now())
  const next = known ? domains.map((domain) => (domain === known ? checked : domain)) : [...domains, checked]
  const stored = await storeSetupChange(change, { domains: next }, `${checked.state} ${name}`)
  return { status: 200, body: toSetupBody(services, stored, link) }
}

/** Removes a domain that was never proven. */
export const removeSamlSetupDomain: UseCase<typeof connections.removeSamlSetupDomain> = async (
  request,
  services,
) => {
  const { body } = request
  const change = await startSetupChange(services, request)
  const { provider, link } = change
  const name = normalizeDomain(body.domain)
  const domain = provider.domains.find((one) => one.name === name)
  if (domain?.state !== 'pending') throw conflict('The connection has no such domain that is pending.')
  const others = provider.domains.filter((one) => one !== domain)
  const stored = await storeSetupChange(change, { domains: others }, `removed ${domain.name}`)
  return { status: 200, body: toSetupBody(services, stored, link) }
}

/** Takes the connection live, and ends its links. */
export const finishSamlSetup: UseCase<typeof connections.finishSamlSetup> = async (request, services) => {
  const change = await startSetupChange(services, request)
  return {
    status: 200,
    body: toSetupBody(services, await finishSetup(change, request.body.shown), change.link),
  }
}
