import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { conflict } from '../../../kernel/errors/errors.ts'
import type { Services } from '../../../services.ts'
import type { connections } from '../operations.ts'
import { editConnectionOf } from '../records.ts'
import type { SPKeyRotation } from './messages.models.ts'
import { importMetadata, refreshProvider, toMetadataBody } from './provider-metadata.ts'
import { findEntityIdOwner, findSamlConnection, type SamlConnection, samlKind } from './records.ts'
import { requireProvider } from './saml-context.ts'
import { encryptKeyPair, generateKeyPair } from './sp-keys.ts'

/** Reads metadata without storing it. If the same provider is stored, its settings decide which signatures count. */
export const parseSamlidpMetadata: UseCase<typeof connections.parseSamlidpMetadata> = async (
  { body },
  services,
) => {
  const findStored = async (entityId: string) => {
    const id = await findEntityIdOwner(services.table, entityId)
    return id === undefined ? undefined : findSamlConnection(services.table, id)
  }
  return { status: 200, body: toMetadataBody(await importMetadata(services, body.url, { findStored })) }
}

/** Refreshes a stored provider from its metadata. From then on, the metadata is read from the same URL every day. */
export const refreshSamlidpMetadata: UseCase<typeof connections.refreshSamlidpMetadata> = async (
  { params, body, context },
  services,
) => {
  const provider = await requireProvider(services.table, params.id)
  const options = { url: body.url, keepsOldCertificates: false }
  const { found } = await refreshProvider({ services, provider, context }, options)
  return { status: 200, body: toMetadataBody(found) }
}

/**
 * Rotates the service provider key without an interruption. The first call generates a new key and publishes it next to
 * the current one. Repeating it returns the same key. When the identity provider has read the metadata, the call with
 * `confirm` switches to the new key. The old key still decrypts assertions until the next rotation.
 */
export const rotateSamlSpKey: UseCase<typeof connections.rotateSamlSpKey> = async (
  { params, body, context },
  services,
) => {
  const provider = await requireProvider(services.table, params.id)
  const rotate = body.confirm ? switchToNext : addNext
  return { status: 200, body: toRotationBody(await rotate(services, provider, context)) }
}

const addNext = async (
  services: Services,
  provider: SamlConnection,
  context: RequestContext,
): Promise<SamlConnection> => {
  if (provider.nextSpPair) return provider
  const nextSpPair = await encryptKeyPair(services, provider.id, await generateKeyPair(services))
  return editConnectionOf(services.table, samlKind, provider, { nextSpPair }, [
    auditStep(context, 'saml_provider.sp_key_added', { target: String(provider.id) }),
  ])
}

const switchToNext = async (
  { table }: Services,
  provider: SamlConnection,
  context: RequestContext,
): Promise<SamlConnection> => {
  const { sp_certificate, spCertificateKey, nextSpPair } = provider
  if (!nextSpPair)
    throw conflict('There is no new key to switch to. Generate one first with a request without `confirm`.')
  const previousSpPair =
    sp_certificate !== null && spCertificateKey
      ? { certificate: sp_certificate, key: spCertificateKey }
      : null
  const changes = {
    sp_certificate: nextSpPair.certificate,
    spCertificateKey: nextSpPair.key,
    nextSpPair: null,
    previousSpPair,
  }
  return editConnectionOf(table, samlKind, provider, changes, [
    auditStep(context, 'saml_provider.sp_key_switched', { target: String(provider.id) }),
  ])
}

const toRotationBody = ({ sp_certificate, nextSpPair }: SamlConnection): SPKeyRotation => ({
  sp_certificate: sp_certificate,
  next_sp_certificate: nextSpPair?.certificate ?? null,
})
