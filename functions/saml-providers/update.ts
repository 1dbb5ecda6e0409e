import type { Principal } from '../../lib/accounts/common/principal.ts'
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
import {
  buildRequiredProviderSteps,
  requireCallerNotLockedOut,
} from '../../lib/accounts/sign-in/required-sign-in.ts'
import type { SAMLProvider } from '../../lib/contract/models/saml-providers.ts'
import type { samlProviders } from '../../lib/contract/operations/saml-providers/providers.ts'
import { AppError, invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import {
  editSamlProvider,
  type SamlProviderFields,
  type SamlProviderRecord,
} from '../../lib/store/saml/saml-providers.ts'

/**
 * Replaces a SAML provider. Fields that the body omits return to their defaults, except for the service provider key
 * pair, which stays.
 */
export const updateSamlProvider: UseCase<typeof samlProviders.updateSamlProvider> = async (
  request,
  services,
) => {
  const provider = await requireProvider(services.table, request.params.id)
  const fields = readProviderFields(request.body, provider)
  return { status: 200, body: await applyChanges(request, services, provider, fields) }
}

/** Changes the fields that the body contains. */
export const patchSamlProvider: UseCase<typeof samlProviders.patchSamlProvider> = async (
  request,
  services,
) => {
  const provider = await requireProvider(services.table, request.params.id)
  const fields = patchProviderFields(provider, request.body)
  return { status: 200, body: await applyChanges(request, services, provider, fields) }
}

type Request = Pick<UseCaseRequest<typeof samlProviders.patchSamlProvider>, 'body' | 'principal' | 'context'>

const applyChanges = async (
  { body, principal, context }: Request,
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
    ...(await buildPairChanges(services, provider, plan)),
    // The response location belongs to the logout URL, so a new logout URL resets it.
    ...(fields.sloUrl === provider.sloUrl ? {} : { sloResponseUrl: null }),
    // Whether the metadata at a new URL is signed is not known yet.
    ...(fields.metadataUrlSource === provider.metadataUrlSource ? {} : { isMetadataSigned: false }),
  })
  if (Object.keys(changes).length === 0) return toAdminProviderBody(config, provider)
  requireRightToChangeFields(principal, changes)
  const next = { ...provider, ...changes }
  requireCallerNotLockedOut(principal, next, 'required_for_domains')
  const isRequired = next.requiredForDomains === true
  const requirementSteps =
    changes.requiredForDomains === undefined
      ? []
      : await buildRequiredProviderSteps(services, provider.id, isRequired)
  const target = `${provider.id} ${listFieldNames(changes)}`
  const edited = await editSamlProvider(table, provider, changes, [
    ...requirementSteps,
    auditStep(context, 'saml_provider.changed', { target }),
  ])
  reportExpiredCertificates(services, edited)
  reportTransientNames(services, edited)
  return toAdminProviderBody(config, edited)
}

/** Fields that decide neither who signs in through the provider nor what they may do. */
const harmlessFields = ['name', 'normalizedName', 'disabledInClient']

/**
 * A caller who chooses the certificate, the keys or the template of a provider can sign in as its users. An API token must
 * not turn into a session that way.
 */
const requireRightToChangeFields = ({ kind }: Principal, changes: Partial<SamlProviderFields>): void => {
  if (kind === 'api_token' && Object.keys(changes).some((field) => !harmlessFields.includes(field)))
    throw new AppError('permission_denied', {
      detail:
        'API tokens can change only the name of a SAML provider and whether clients show it. Sign in instead.',
    })
}

/** A key pair in the body ends a rotation that is in progress. */
const buildPairChanges = async (
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
