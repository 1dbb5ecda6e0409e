import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { diffFields, listFieldNames } from '../../lib/accounts/directory/user-changes.ts'
import { reportExpiredCertificates } from '../../lib/accounts/saml/expired-certificates.ts'
import { toAdminProviderBody } from '../../lib/accounts/saml/provider-body.ts'
import {
  type PlainFields,
  patchProviderFields,
  readProviderFields,
} from '../../lib/accounts/saml/provider-fields.ts'
import { validateProvider } from '../../lib/accounts/saml/provider-validation.ts'
import { requireProvider } from '../../lib/accounts/saml/require-provider.ts'
import { type KeyPairPlan, planKeyPair } from '../../lib/accounts/saml/sp-key-pair.ts'
import { encryptKey } from '../../lib/accounts/saml/sp-keys.ts'
import { reportTransientNames } from '../../lib/accounts/saml/transient-names.ts'
import type { SAMLProvider } from '../../lib/contract/models/saml-providers.ts'
import type { samlProviders } from '../../lib/contract/operations/saml-providers.ts'
import { invalidRequest } from '../../lib/core/errors.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import type { SamlProviderFields, SamlProviderRecord } from '../../lib/store/records/saml-provider-record.ts'
import { editSamlProvider } from '../../lib/store/saml/saml-providers.ts'

/** Replaces what a body can set: what it leaves out returns to its default, but our own pair stays. */
export const updateSamlProvider: UseCase<typeof samlProviders.updateSamlProvider> = async (
  request,
  services,
) => {
  const provider = await requireProvider(services.table, request.params.id)
  const fields = readProviderFields(request.body, provider)
  return { status: 200, body: await change(request, services, provider, fields) }
}

/** Changes what the body names. */
export const patchSamlProvider: UseCase<typeof samlProviders.patchSamlProvider> = async (
  request,
  services,
) => {
  const provider = await requireProvider(services.table, request.params.id)
  const fields = patchProviderFields(provider, request.body)
  return { status: 200, body: await change(request, services, provider, fields) }
}

const change = async (
  { body, context }: Pick<UseCaseRequest<typeof samlProviders.patchSamlProvider>, 'body' | 'context'>,
  services: Services,
  provider: SamlProviderRecord,
  fields: PlainFields,
): Promise<SAMLProvider> => {
  const { table, config } = services
  const { plan, errors } = planKeyPair(body, provider)
  const all = [...(await validateProvider(config, table, fields, provider)), ...errors]
  if (all.length > 0) throw invalidRequest(all)
  const changes = diffFields<SamlProviderFields>(provider, {
    ...fields,
    ...(await pairChange(services, provider, plan)),
    // The one belonged to the other.
    ...(fields.sloUrl === provider.sloUrl ? {} : { sloResponseUrl: null }),
    // What is read from elsewhere begins anew: whether that is signed, nobody knows yet.
    ...(fields.metadataUrlSource === provider.metadataUrlSource ? {} : { isMetadataSigned: false }),
  })
  if (Object.keys(changes).length === 0) return toAdminProviderBody(config, provider)
  const target = `${provider.id} ${listFieldNames(changes)}`
  const edited = await editSamlProvider(table, provider, changes, [
    auditStep(context, 'saml_provider.changed', { target }),
  ])
  reportExpiredCertificates(services, edited)
  reportTransientNames(services, edited)
  return toAdminProviderBody(config, edited)
}

/** A pair that is set by hand ends a roll-over that is under way. */
const pairChange = async (
  services: Services,
  provider: SamlProviderRecord,
  { certificate, key }: KeyPairPlan,
): Promise<Partial<SamlProviderFields>> => {
  const isSameKey = (key?.fingerprint ?? null) === (provider.spCertificateKey?.fingerprint ?? null)
  if (isSameKey && certificate === provider.spCertificate) return {}
  const spCertificateKey = key && 'text' in key ? await encryptKey(services, provider.id, key) : key
  return {
    spCertificate: certificate,
    spCertificateKey: isSameKey ? provider.spCertificateKey : spCertificateKey,
    nextSpPair: null,
    previousSpPair: null,
  }
}
