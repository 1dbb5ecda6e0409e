import { createHash } from 'node:crypto'
import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import { toAppError } from '../../http/problem.ts'
import type { ManagedKind } from '../../kernel/contract/managed-kinds.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { parseJson } from '../../kernel/errors/json.ts'
import { readSecretText } from '../../kernel/secrets/secrets-manager.ts'
import { readOwn } from '../../kernel/util/object-fields.ts'
import {
  type ResourceOutcome,
  respondToCloudFormation,
  retryDeniedAccess,
} from '../../kernel/util/respond-to-cloudformation.ts'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../access/request-context.ts'
import { applyChanges } from './apply.step.ts'
import { keyedLists } from './document.models.ts'
import { planDocument } from './door.step.ts'
import type { DoorServices } from './doors.step.ts'
import type { Values } from './kind.step.ts'
import { createRunner, isThing, settings, things } from './kinds.step.ts'
import { buildReleaseSteps, buildSecretStep, findManaged, listManaged } from './managed.records.ts'
import { isWork } from './plan.step.ts'
import { readDocument } from './read-document.ts'
import {
  placeSecret,
  probeSecret,
  readStackSecret,
  type StackSecret,
  secretKinds,
} from './stack-secret.step.ts'

/** What a custom resource configures: a document with one entry. */
interface Resource {
  readonly kind: ManagedKind
  readonly key: string
  readonly entry: Values
  readonly schemaVersion: unknown
  /** Where the secret is that a client gets, or that a connection proves itself with. */
  readonly secret: StackSecret | undefined
}

/**
 * Answers an event of CloudFormation about a custom resource. Its stack owns what it configures. CloudFormation repeats events, undoes
 * them, and reports some late, so each event leads to what the resource says, from any state.
 */
export const answerResource = async (
  at: DoorServices,
  event: CloudFormationCustomResourceEvent,
): Promise<undefined> => {
  requireResponseHost(event.ResponseURL)
  const outcome = await retryDeniedAccess(() => handle(at, event)).catch((error: unknown) =>
    describeFailure(at.services, event, error),
  )
  // What was not created has an ID that no later event takes for one.
  const newId = outcome.id ?? `${notCreated}${event.RequestId}`
  await respondToCloudFormation(event, newId, outcome)
  return undefined
}

const notCreated = 'not-created/'

/** The hosts of the presigned URLs that CloudFormation sends, in all partitions. */
const responseHost =
  /^cloudformation-custom-resource-response-[a-z0-9]+\.s3(?:[.-][a-z0-9-]+)?\.amazonaws\.com(?:\.cn)?$/

/** Those who may invoke the function could have it call any host. @throws AppError `permission_denied` */
const requireResponseHost = (address: unknown): void => {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (url?.protocol !== 'https:' || url.port !== '' || !responseHost.test(url.hostname))
    throw new AppError('permission_denied', { detail: 'The response URL is not one of CloudFormation.' })
}

interface Outcome extends ResourceOutcome {
  readonly id?: string
}

const handle = async (
  { services, door }: DoorServices,
  event: CloudFormationCustomResourceEvent,
): Promise<Outcome> => {
  const context = createContext(services, event)
  const stack = nameOwner(event.StackId)
  if (event.RequestType === 'Delete') return letGo(services, context, { event, owner: door.ownerOf(stack) })
  const resource = readResource(event)
  const id = `${resource.kind}/${resource.key}`
  if (event.RequestType === 'Update') requireSame(event.PhysicalResourceId, resource)
  const document = await door.admit(services, readDocument(toDocument(resource, stack)))
  const { owner } = document
  const { secret, kind } = resource
  const isMade = secretKinds.find((one) => one === kind)
  // Refused before anything changes, if the function may not read it.
  const given =
    secret && (isMade ? await probeSecret(services, secret, resource) : await readSecretText(secret.arn))
  const readSecret = () => given
  const changes = await planDocument(services, context, { document, prune: false, readSecret })
  const wanted = changes.filter((change) => isWork(change) && change.entry !== undefined)
  const applying = { ...context, keepsSecretElsewhere: secret !== undefined }
  for await (const _ of applyChanges(services, applying, { owner, readSecret }, wanted)) {
    // There is one, or none.
  }
  if (secret && isMade) await placeSecret(services, context, secret, { ...resource, kind: isMade })
  return { Status: 'SUCCESS', Reason: 'Done.', id, Data: await readAttributes(services, resource) }
}

/**
 * The context of a change for a stack. CloudFormation does not prove which stack it acts for, and others may be allowed to invoke the
 * function as well.
 */
const createContext = (
  { now }: Services,
  { StackId, RequestId }: CloudFormationCustomResourceEvent,
): RequestContext => ({
  address: 'CloudFormation',
  userAgent: '',
  requestId: RequestId,
  actor: null,
  credential: 'configuration',
  actorPrincipal: `unverified:${StackId}`,
  at: now(),
})

/**
 * The owner that a stack is: its name, and a hash of its name with account and region. A stack that is deleted and created again is the
 * same owner, so that it finds what it left.
 *
 * @throws AppError `invalid_request`
 */
export const nameOwner = (stackId: string): string => {
  const [, place, name = ''] =
    /^(arn:[\w-]+:cloudformation:[\w-]+:\d{12}):stack\/([A-Za-z][\w-]*)\//.exec(stackId) ?? []
  if (place === undefined) throw new AppError('invalid_request', { detail: 'The event names no stack.' })
  const hash = createHash('sha256').update(`${place}/${name}`).digest('hex').slice(0, 12)
  return `${name.toLowerCase().replaceAll('_', '-').slice(0, 30)}-${hash}`
}

/** All of it is one text, because CloudFormation turns numbers and booleans into texts. @throws AppError `invalid_request` */
const readResource = (event: CloudFormationCustomResourceEvent): Resource => {
  const { Configuration: text } = event.ResourceProperties
  const value = typeof text === 'string' ? parseJson(text, 'Configuration') : undefined
  const {
    kind,
    key,
    entry,
    schema_version: schemaVersion,
  } = (value ?? {}) as Readonly<Record<string, unknown>>
  const isKnown =
    typeof kind === 'string' &&
    (Object.hasOwn(things, kind) || Object.hasOwn(settings, kind)) &&
    typeof key === 'string' &&
    typeof entry === 'object' &&
    entry !== null
  if (!isKnown)
    throw new AppError('invalid_request', {
      detail: 'The resource comes from another version of the construct.',
    })
  const secret = readStackSecret(event, key)
  if (secret && !mayHaveSecret(kind, entry as Values))
    throw new AppError('invalid_request', {
      detail: 'Only a confidential client or a service account gets a secret.',
    })
  return { kind: kind as ManagedKind, key, entry: entry as Values, schemaVersion, secret }
}

/** Whether a custom resource of this entry can have a secret beside it. */
const mayHaveSecret = (kind: string, { type = 'confidential', public_keys: keys = [] }: Values): boolean =>
  kind === 'oidc_connection' ||
  kind === 'service_account' ||
  (kind === 'client' && type === 'confidential' && Array.isArray(keys) && keys.length === 0)

/** A name such as `__proto__` stays a key of its own, which the document refuses. */
const toDocument = ({ kind, key, entry, schemaVersion }: Resource, owner: string): object => ({
  schema_version: schemaVersion,
  owner,
  ...toList(kind, key, entry),
})

const toList = (kind: ManagedKind, key: string, entry: Values): object => {
  const list = readOwn<string>(keyedLists, kind)
  return list === undefined ? { [kind]: entry } : { [list]: Object.fromEntries([[key, entry]]) }
}

const newConstruct = 'Use a new construct ID together with a new key.'

/** What is something else needs a construct of its own, which leads to its own events. @throws AppError `conflict` */
const requireSame = (id: string, { kind, key }: Resource): void => {
  if (id !== `${kind}/${key}` && !id.startsWith(notCreated))
    throw new AppError('conflict', {
      detail: `This resource is ${id} and cannot become ${kind}/${key}. ${newConstruct}`,
    })
}

/**
 * Deletes a thing. Its key remains with the stack, so that the stack can create it again after a rollback. Policies, attributes and the
 * brand stay as they are, and anybody can manage them from then on.
 */
const letGo = async (
  services: Services,
  context: RequestContext,
  { event, owner }: { readonly event: CloudFormationCustomResourceEvent; readonly owner: string },
): Promise<Outcome> => {
  const [kind = '', key] = ('PhysicalResourceId' in event ? event.PhysicalResourceId : '').split('/')
  const record = (await listManaged(services.table)).find(
    (one) => one.kind === kind && one.key === key && one.owner === owner && one.deletedAt === undefined,
  )
  if (!record) return { Status: 'SUCCESS', Reason: 'The stack manages nothing of this name.' }
  if (!isThing(record.kind)) {
    await services.table.transact(buildReleaseSteps(record))
    return { Status: 'SUCCESS', Reason: 'The settings stay, and no stack manages them.' }
  }
  const [thing] = await things[record.kind].read(services, [record.id])
  if (thing) await things[record.kind].remove(createRunner(services, context), record.id)
  // The stack can create it again, and then its version gets another value.
  if (record.secret)
    await services.table.transact([buildSecretStep(record, { ...record.secret, version: 0 })])
  return { Status: 'SUCCESS', Reason: 'Deleted.' }
}

/** What products need of it: the `client_id`, or what to enter at an identity provider. Never a secret. */
const readAttributes = async (services: Services, { kind, key, secret }: Resource): Promise<Values> => {
  if (!isThing(kind)) return { Key: key }
  const record = await findManaged(services.table, kind, key)
  const [thing] = record ? await things[kind].read(services, [record.id]) : []
  const { client_id, assertion_url, metadata_url, redirect_uri } = thing?.outputs ?? {}
  return {
    Key: key,
    ...(client_id && { ClientId: client_id }),
    // Where it is, and not what it is.
    ...(kind !== 'oidc_connection' && secret && { SecretArn: secret.arn }),
    ...(assertion_url && { AssertionUrl: assertion_url }),
    ...(metadata_url && { MetadataUrl: metadata_url }),
    ...(redirect_uri && { RedirectUri: redirect_uri }),
  }
}

/** CloudFormation shows the reason to the person who deploys. An answer may have 4 KB in all. */
const mostReason = 1500

const describeFailure = (
  { log }: Services,
  event: CloudFormationCustomResourceEvent,
  error: unknown,
): Outcome => {
  const { RequestId: requestId, LogicalResourceId: resource, RequestType, ResourceProperties } = event
  const refusal = toAppError(error)
  if (!refusal) log.error('config.failed', { requestId, resource, error })
  const reasons = refusal?.details.errors?.map(({ field, message }) => `${field} ${message}`)
  const reason =
    reasons?.join('; ') ??
    refusal?.message ??
    `It failed. ${ResourceProperties['Secret'] === undefined ? '' : checkSecret}The log has the reason under ${requestId}.`
  log.warn('config.refused', { requestId, resource, type: RequestType })
  return { Status: 'FAILED', Reason: reason.slice(0, mostReason) }
}

const checkSecret =
  'Check that the secret exists, and that its resource policy admits the role of the output ConfigRoleArn. '
