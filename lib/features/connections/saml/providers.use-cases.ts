import { readPageRequest, toListReply } from '../../../http/paging.ts'
import type { UseCase, UseCaseRequest } from '../../../http/use-case.ts'
import { AppError, invalidRequest } from '../../../kernel/errors/errors.ts'
import { getIds, getListing, mapRows, readPage } from '../../../kernel/table/listing.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { Services } from '../../../services.ts'
import type { Principal } from '../../access/principal.ts'
import { auditStep } from '../../audit/write-event.ts'
import { isAdministrator } from '../../directory/account-rights.ts'
import { diffFields, listFieldNames } from '../../directory/user-changes.ts'
import { buildRequiredProviderSteps, requireCallerNotLockedOut } from '../../sign-in/required-sign-in.ts'
import type { samlProviders } from '../operations.ts'
import {
  type PlainFields,
  patchProviderFields,
  readProviderFields,
  toAdminProviderBody,
  toProviderBody,
} from '../provider-body.ts'
import { validateProvider } from '../provider-validation.ts'
import { reportExpiredCertificates, reportTransientNames } from '../provider-warnings.ts'
import type { SAMLProvider } from './models.ts'
import {
  allocateSamlProviderId,
  createSamlProvider as createStored,
  EntityIdTaken,
  editSamlProvider,
  findSamlProviderId,
  readSamlProviders,
  type SamlProviderFields,
  type SamlProviderRecord,
} from './records.ts'
import { requireProvider } from './saml-context.ts'
import { type KeyPairPlan, planKeyPair } from './sp-key-pair.ts'
import { encryptKey, encryptKeyPair, generateKeyPair } from './sp-keys.ts'

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

/** Lists SAML providers. The list is public, because a sign-in page needs it before a user is signed in. */
export const getAllSamlProviders: UseCase<typeof samlProviders.getAllSamlProviders> = async (
  request,
  { table, config },
) => {
  const listing = getListing('saml-provider', request.query.ordering.field)
  const found = await readPage(table, listing, readPageRequest(request), (entries) =>
    readSamlProviders(table, getIds(entries)),
  )
  const bodyOf = await bodyFor(table, request)
  const page = await mapRows(found, async (rows) => rows.map((row) => bodyOf(config, row)))
  return { status: 200, ...toListReply(request, config, page) }
}

export const getSamlProvider: UseCase<typeof samlProviders.getSamlProvider> = async (
  request,
  { table, config },
) => {
  const provider = await requireProvider(table, request.params.id)
  return { status: 200, body: (await bodyFor(table, request))(config, provider) }
}

const bodyFor = async (
  table: Table,
  { principal }: Pick<UseCaseRequest<typeof samlProviders.getSamlProvider>, 'principal'>,
): Promise<typeof toProviderBody> =>
  principal && (await isAdministrator(table, principal)) ? toAdminProviderBody : toProviderBody

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
