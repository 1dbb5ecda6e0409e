import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { reportExpiredCertificates } from '../../lib/accounts/saml/expired-certificates.ts'
import { toAdminProviderBody } from '../../lib/accounts/saml/provider-body.ts'
import { readProviderFields } from '../../lib/accounts/saml/provider-fields.ts'
import { validateProvider } from '../../lib/accounts/saml/provider-validation.ts'
import { type KeyPairPlan, planKeyPair } from '../../lib/accounts/saml/sp-key-pair.ts'
import { encryptKey, encryptKeyPair, generateKeyPair } from '../../lib/accounts/saml/sp-keys.ts'
import { reportTransientNames } from '../../lib/accounts/saml/transient-names.ts'
import { buildRequiredProviderSteps } from '../../lib/accounts/sign-in/required-sign-in.ts'
import type { samlProviders } from '../../lib/contract/operations/saml-providers/providers.ts'
import { invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import {
  allocateSamlProviderId,
  createSamlProvider as createStored,
  EntityIdTaken,
  findSamlProviderId,
  type SamlProviderFields,
} from '../../lib/store/saml/saml-providers.ts'

/** Creates a SAML provider. If the body has no service provider key, one is generated, so that requests can be signed. */
export const createSamlProvider: UseCase<typeof samlProviders.createSamlProvider> = async (
  { body, context },
  services,
) => {
  const { table, config } = services
  const fields = readProviderFields(body)
  const { plan, errors } = planKeyPair(body, undefined)
  const all = [...(await validateProvider(config, table, fields, undefined)), ...errors]
  if (all.length > 0) throw invalidRequest(all)
  // The transaction below decides. Checking first avoids generating a key in vain, which takes a second.
  if ((await findSamlProviderId(table, fields.entityId)) !== undefined) throw new EntityIdTaken()
  const id = await allocateSamlProviderId(table)
  const pair = await createFirstPair(services, id, plan)
  const provider = await createStored(table, id, { ...fields, ...pair, sloResponseUrl: null }, [
    ...(fields.requiredForDomains ? await buildRequiredProviderSteps(services, id, true) : []),
    auditStep(context, 'saml_provider.created', { target: String(id) }),
  ])
  reportExpiredCertificates(services, provider)
  reportTransientNames(services, provider)
  const location = `/api/2/auth/saml/${id}`
  return { status: 201, headers: { location }, body: toAdminProviderBody(config, provider) }
}

type PairFields = Pick<
  SamlProviderFields,
  'spCertificate' | 'spCertificateKey' | 'nextSpPair' | 'previousSpPair' | 'isMetadataSigned'
>

const createFirstPair = async (
  services: Services,
  id: number,
  { mustGenerate, certificate, key }: KeyPairPlan,
): Promise<PairFields> => {
  const generated = mustGenerate
    ? await encryptKeyPair(services, id, await generateKeyPair(services))
    : undefined
  const given = key && 'text' in key ? await encryptKey(services, id, key) : null
  return {
    spCertificate: generated?.certificate ?? certificate,
    spCertificateKey: generated?.key ?? given,
    nextSpPair: null,
    previousSpPair: null,
    isMetadataSigned: false,
  }
}
