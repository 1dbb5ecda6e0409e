import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { requireProvider } from '../../lib/accounts/saml/require-provider.ts'
import { encryptKeyPair, generateKeyPair } from '../../lib/accounts/saml/sp-keys.ts'
import type { SPKeyRotation } from '../../lib/contract/models/saml-sp-key.ts'
import type { samlProviders } from '../../lib/contract/operations/saml-providers.ts'
import { conflict } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import type { SamlProviderRecord } from '../../lib/store/records/saml-provider-record.ts'
import { editSamlProvider } from '../../lib/store/saml/saml-providers.ts'

/**
 * Exchanges our key for a provider without a moment at which its partner can't follow. The first call makes a new pair
 * and publishes it beside the one in use; called again, it shows that. Once the partner has read our metadata, the call
 * that confirms switches to it; what is encrypted for the old one can be read until the next time.
 */
export const rotateSamlSpKey: UseCase<typeof samlProviders.rotateSamlSpKey> = async (
  { params, body, context },
  services,
) => {
  const provider = await requireProvider(services.table, params.id)
  const turn = body.confirm ? switchToNext : addNext
  return { status: 200, body: rotationBody(await turn(services, provider, context)) }
}

const addNext = async (
  services: Services,
  provider: SamlProviderRecord,
  context: RequestContext,
): Promise<SamlProviderRecord> => {
  if (provider.nextSpPair) return provider
  const nextSpPair = await encryptKeyPair(services, provider.id, await generateKeyPair(services))
  return editSamlProvider(services.table, provider, { nextSpPair }, [
    auditStep(context, 'saml_provider.sp_key_added', { target: String(provider.id) }),
  ])
}

const switchToNext = async (
  { table }: Services,
  provider: SamlProviderRecord,
  context: RequestContext,
): Promise<SamlProviderRecord> => {
  const { spCertificate, spCertificateKey, nextSpPair } = provider
  if (!nextSpPair) throw conflict('There is no new key to switch to: have one made first, without confirm.')
  const previousSpPair =
    spCertificate !== null && spCertificateKey ? { certificate: spCertificate, key: spCertificateKey } : null
  const changes = {
    spCertificate: nextSpPair.certificate,
    spCertificateKey: nextSpPair.key,
    nextSpPair: null,
    previousSpPair,
  }
  return editSamlProvider(table, provider, changes, [
    auditStep(context, 'saml_provider.sp_key_switched', { target: String(provider.id) }),
  ])
}

const rotationBody = ({ spCertificate, nextSpPair }: SamlProviderRecord): SPKeyRotation => ({
  sp_certificate: spCertificate,
  next_sp_certificate: nextSpPair?.certificate ?? null,
})
