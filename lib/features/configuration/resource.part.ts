import type { CloudFormationCustomResourceEvent, Context } from 'aws-lambda'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { toAppError } from '../../http/problem.ts'
import type { ManagedKind } from '../../kernel/contract/managed-kinds.ts'
import { AppError, conflict } from '../../kernel/errors/errors.ts'
import { parseJson } from '../../kernel/errors/json.ts'
import { readSecretText } from '../../kernel/secrets/secrets-manager.ts'
import { readOwn } from '../../kernel/util/object-fields.ts'
import {
  type ResourceOutcome,
  respondToCloudFormation,
  retryDeniedAccess,
} from '../../kernel/util/respond-to-cloudformation.ts'
import { retry } from '../../kernel/util/work.ts'
import type { Services } from '../../services.ts'
import { chosenIdRule, isChosenId, longestChosenId } from '../oauth/clients.models.ts'
import { applyChanges, readValues } from './apply.part.ts'
import {
  addClaim,
  buildNotStoppedStep,
  buildUnclaimStep,
  ClaimsChanged,
  editClaims,
  findReleased,
  givesBackMs,
  nameClaim,
  releaseThing,
  stopClaim,
} from './claims.records.ts'
import { documentVersion, keyedLists } from './document.models.ts'
import { planDocument } from './door.part.ts'
import type { DoorServices } from './doors.part.ts'
import { isConfidential } from './held-secrets.part.ts'
import type { Values } from './kind.part.ts'
import { createRunner, isThing, settings, things } from './kinds.part.ts'
import {
  type Adoption,
  type Claim,
  type ClaimPlace,
  findManaged,
  listManaged,
  type ManagedRecord,
} from './managed.records.ts'
import { hashValues, isWork } from './plan.part.ts'
import { readDocument } from './read-document.ts'
import {
  endSecretOfClaim,
  placeSecret,
  probeSecret,
  readStackSecret,
  type StackSecret,
  secretKinds,
} from './stack-secret.part.ts'

/** What a custom resource configures: a document with one entry. */
interface Resource {
  readonly kind: ManagedKind
  readonly key: string
  readonly entry: Values
  readonly schemaVersion: unknown
  /** What becomes of the thing when the last resource that asks for it is removed. */
  readonly onRemove: 'keep' | 'delete' | undefined
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
  lambda: Pick<Context, 'invokedFunctionArn'>,
): Promise<undefined> => {
  requireResponseHost(event.ResponseURL)
  const outcome = await retryDeniedAccess(() => handle(at, event, lambda)).catch((error: unknown) =>
    describeFailure(at.services, event, error),
  )
  // What was not created has an ID that no later event takes for one.
  const newId = outcome.id ?? `${notCreated}${event.RequestId}`
  await respondToCloudFormation(event, newId, outcome)
  return undefined
}

/** Tells CloudFormation at once that nothing takes its event, which it would await for minutes otherwise. */
export const refuseResource = async (
  event: CloudFormationCustomResourceEvent,
  reason: string,
): Promise<undefined> => {
  requireResponseHost(event.ResponseURL)
  // What it would delete was never created here.
  const Status = event.RequestType === 'Delete' ? 'SUCCESS' : 'FAILED'
  await respondToCloudFormation(event, `${notCreated}${event.RequestId}`, { Status, Reason: reason })
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
  lambda: Pick<Context, 'invokedFunctionArn'>,
): Promise<Outcome> => {
  const context = createContext(services, event)
  const claimed = readClaim(event)
  const stated = readOwner(event, lambda, door)
  if (event.RequestType === 'Delete')
    return removeClaim({ services, door }, context, { event, claimed, stated })
  const resource = readResource(event)
  const { secret, kind, key, entry } = resource
  if (event.RequestType === 'Update') requireSame(event.PhysicalResourceId, resource)
  const { claim } = claimed
  const id = `${kind}/${key}/${claim}`
  const document = await door.admit(services, readDocument(toDocument(resource, requireOwner(stated))))
  const { owner } = document
  const isMade = secretKinds.find((one) => one === kind)
  // Refused before anything changes, if the function may not read it.
  const given =
    secret && (isMade ? await probeSecret(services, secret, resource) : await readSecretText(secret.arn))
  const readSecret = () => given
  const guard = [buildNotStoppedStep(claim, context.at)]
  const thing = { kind, key, owner }
  const place = readPlace(event)
  const asked = {
    ...{ id: claim, entry, at: context.at, place, isUpdate: event.RequestType === 'Update' },
    isLost: (one: Claim) => isLost(one, place, door),
  }
  const plan = async () =>
    planDocument(services, context, {
      ...{ document, prune: false, readSecret },
      takesBack: await findReleased(services.table, thing, claim),
    })
  // What is refused claims nothing.
  const changes = await plan()
  await editClaims(
    services.table,
    thing,
    (claims, { claims: noted }) => addClaim(claims, { ...asked, joinsFile: noted === undefined }),
    guard,
  )
  const record = await findManaged(services.table, kind, key)
  if (record && record.owner !== owner) throw conflict(`${kind} ${key} got another owner at the same time.`)
  const wanted = changes
    .filter((change) => isWork(change) && change.entry !== undefined)
    .map((change) => ({ ...change, record: change.record && record }))
  const applying = { ...context, keepsSecretElsewhere: secret !== undefined }
  const [added = { id: claim, at: context.at, place }] = addClaim([], asked)
  const options = { owner, readSecret, claim: { claim: added, guard } }
  for await (const _ of applyChanges(services, applying, options, wanted)) {
    // There is one, or none.
  }
  await noteAdoption(services, context, thing, claim)
  if (secret && isMade) {
    const secretHash = await placeSecret(services, context, secret, { ...resource, kind: isMade })
    if (secretHash !== undefined)
      await editClaims(services.table, thing, (claims) =>
        claims.map((one) => (one.id === claim ? { ...one, secretHash } : one)),
      )
  }
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

/** The owner that an event leads to, or what is wrong with it. */
type StatedOwner = { readonly owner: string } | { readonly problem: string }

/**
 * The owner that a stack is: the `configOwner` that it states, or its name. It is neither the region nor a path of constructs, so a stack is
 * the same owner where the table is restored, and when it is deleted and created again. Only through the door of the service the name of
 * a stack says which one it is: others get the number of their account. No name has a slash, which only a door adds.
 */
const readOwner = (
  { StackId, ResourceProperties }: CloudFormationCustomResourceEvent,
  { invokedFunctionArn }: Pick<Context, 'invokedFunctionArn'>,
  { hasOtherAccounts }: DoorServices['door'],
): StatedOwner => {
  const [, account, stack = ''] =
    /^arn:[\w-]+:cloudformation:[\w-]+:(\d{12}):stack\/([A-Za-z][A-Za-z0-9-]*)\//.exec(StackId) ?? []
  if (account === undefined) return { problem: 'The event names no stack.' }
  const { owner: stated, stack: root = stack } = readConfiguration(ResourceProperties) ?? {}
  if (stated !== undefined)
    return typeof stated === 'string' && isChosenId(stated)
      ? { owner: stated }
      : { problem: `configOwner ${chosenIdRule}.` }
  const [, , , , ownAccount] = invokedFunctionArn.split(':')
  const isOwn = account === ownAccount && !hasOtherAccounts
  const owner = `${String(root).toLowerCase()}${isOwn ? '' : `-${account}`}`
  return isChosenId(owner)
    ? { owner }
    : {
        problem: `${owner.length > longestChosenId ? 'The name of the stack is too long to be an owner' : 'The name of the stack is no owner'}. Set configOwner.`,
      }
}

/** The region and the account of a stack. */
const readPlace = ({ StackId }: CloudFormationCustomResourceEvent): ClaimPlace => {
  const [, , , region = '', account = ''] = StackId.split(':')
  return { region, account }
}

/**
 * Whether the stack of a claim cannot send events to this service any more, because the table was restored in another place. CloudFormation
 * calls functions of its own region only, and only products have other accounts.
 */
const isLost = (
  { place }: Claim,
  { region, account }: ClaimPlace,
  { hasOtherAccounts }: DoorServices['door'],
): boolean => place.region !== region || (!hasOtherAccounts && place.account !== account)

/** @throws AppError `invalid_request` */
const requireOwner = (stated: StatedOwner): string => {
  if ('problem' in stated) throw new AppError('invalid_request', { detail: stated.problem })
  return stated.owner
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
    on_remove: onRemove,
  } = (value ?? {}) as Readonly<Record<string, unknown>>
  const isKnown =
    typeof kind === 'string' &&
    (Object.hasOwn(things, kind) || Object.hasOwn(settings, kind)) &&
    typeof key === 'string' &&
    typeof entry === 'object' &&
    entry !== null &&
    [undefined, 'keep', 'delete'].includes(onRemove as string)
  if (!isKnown)
    throw new AppError('invalid_request', {
      detail: 'The resource comes from another version of the construct.',
    })
  const secret = readStackSecret(event, key)
  if (secret && !mayHaveSecret(kind, entry as Values))
    throw new AppError('invalid_request', {
      detail: 'Only a confidential client or a service account gets a secret.',
    })
  return {
    ...{ kind: kind as ManagedKind, key, entry: entry as Values, schemaVersion, secret },
    onRemove: onRemove as Resource['onRemove'],
  }
}

/** Whether a custom resource of this entry can have a secret beside it. */
const mayHaveSecret = (kind: string, entry: Values): boolean =>
  kind === 'oidc_connection' || kind === 'service_account' || (kind === 'client' && isConfidential(entry))

/** A name such as `__proto__` stays a key of its own, which the document refuses. */
const toDocument = (
  { kind, key, entry, schemaVersion }: Pick<Resource, 'kind' | 'key' | 'entry' | 'schemaVersion'>,
  owner: string,
): object => ({
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
  if (!id.startsWith(`${kind}/${key}/`) && !id.startsWith(notCreated))
    throw new AppError('conflict', {
      detail: `This resource is ${id} and cannot become ${kind}/${key}. ${newConstruct}`,
    })
}

/** The resource of an event, and what it asks for as far as its ID says so. */
interface Claimed {
  readonly claim: string
  /** Missing if the function gave the resource no ID. */
  readonly named?: { readonly kind: string; readonly key: string }
}

/** The ID that the function gave a resource says which claim it is, also after its logical ID has changed without an event. */
const readClaim = (event: CloudFormationCustomResourceEvent): Claimed => {
  const id = 'PhysicalResourceId' in event ? event.PhysicalResourceId : ''
  const [kind = '', key = '', claim] = id.split('/')
  return claim !== undefined && /^[0-9a-f]{16}$/.test(claim)
    ? { claim, named: { kind, key } }
    : { claim: nameClaim(event.StackId, event.LogicalResourceId) }
}

/** Notes what an adoption led to, so that it can be given back where nobody has changed it since. */
const noteAdoption = async (
  services: Services,
  context: RequestContext,
  { kind, key, owner }: Pick<ManagedRecord, 'kind' | 'key' | 'owner'>,
  claim: string,
): Promise<void> => {
  const record = await findManaged(services.table, kind, key)
  const adoption = record?.claims?.find(({ id }) => id === claim)?.adoption
  if (!record || !adoption || adoption.wrote) return
  const wrote = (await readValues({ services, context }, record)) ?? {}
  await editClaims(services.table, { kind, key, owner }, (claims) =>
    claims.map((one) => (one.id === claim ? { ...one, adoption: { ...adoption, wrote } } : one)),
  )
}

interface Removal {
  readonly event: CloudFormationCustomResourceEvent
  readonly claimed: Claimed
  readonly stated: StatedOwner
}

/**
 * Undoes what one resource did. If others ask for the same thing, it becomes what the newest of them asked for. The last one gives back
 * what it adopted, lets go of what is kept, and deletes the rest. The key of what was deleted remains with the stack, so that the stack can
 * create it again after a rollback.
 */
const removeClaim = async (at: DoorServices, context: RequestContext, removal: Removal): Promise<Outcome> => {
  const { claim, named } = removal.claimed
  // A Create that CloudFormation gave up may still run.
  if (!named) await stopClaim(at.services.table, claim, context.at)
  const { stated } = removal
  // What states no owner was refused when it was created.
  if ('problem' in stated) return managesNothing
  return retry(() => removeClaimOnce(at, context, { ...removal, owner: stated.owner }), {
    ...{ attempts: 5, baseMs: 10, capMs: 100 },
    isRetryable: (error) => error instanceof ClaimsChanged,
  })
}

const managesNothing: Outcome = { Status: 'SUCCESS', Reason: 'This resource manages nothing.' }

const removeClaimOnce = async (
  at: DoorServices,
  context: RequestContext,
  { event, claimed: { claim, named }, owner: stack }: Removal & { readonly owner: string },
): Promise<Outcome> => {
  const { services } = at
  const { table } = services
  const owner = at.door.ownerOf(stack)
  const { kind, key } = named ?? readNames(event)
  const record = (await listManaged(table)).find(
    (one) => one.kind === kind && one.key === key && one.owner === owner && one.deletedAt === undefined,
  )
  const own = record?.claims?.find(({ id }) => id === claim)
  if (!record || !own) return managesNothing
  // A resource that is older was not created by the deployment that is rolled back.
  const isOld = context.at - own.at >= givesBackMs
  const others =
    record.claims?.filter((one) => one !== own && !(isOld && isLost(one, own.place, at.door))) ?? []
  const newest = others.at(-1)
  if (newest) {
    if (record.claims?.at(-1) === own && newest.entry)
      await applyEntry(at, context, stack, { kind: record.kind, key: record.key, entry: newest.entry })
    if (own.secretHash !== undefined && own.secretHash !== newest.secretHash)
      await endSecretOfClaim(services, context, record, own.secretHash)
    await editClaims(table, record, (claims) => claims.filter(({ id }) => id !== claim))
    return { Status: 'SUCCESS', Reason: 'Another resource of the stack manages it.' }
  }
  const { adoption, hasAdopted } = own
  if (adoption && context.at - adoption.at < givesBackMs) {
    await giveBack(services, context, record, adoption)
    await releaseThing(table, record, claim)
    return { Status: 'SUCCESS', Reason: 'It is as it was before, and no stack manages it.' }
  }
  const { onRemove = hasAdopted || record.wasAdopted || record.kind === 'client' ? 'keep' : 'delete' } =
    readRemoval(event)
  if (!isThing(record.kind) || onRemove === 'keep') {
    await releaseThing(table, record, claim)
    return { Status: 'SUCCESS', Reason: 'It stays, and no stack manages it.' }
  }
  const [thing] = await things[record.kind].read(services, [record.id])
  const steps = [buildUnclaimStep(record)]
  if (thing)
    await things[record.kind].remove(
      createRunner(services, { ...context, alongside: () => steps }),
      record.id,
    )
  else await table.transact(steps)
  return { Status: 'SUCCESS', Reason: 'Deleted.' }
}

/** Applies what an earlier resource of the stack asked for. Its secret works already. */
const applyEntry = async (
  { services, door }: DoorServices,
  context: RequestContext,
  stack: string,
  { kind, key, entry }: Pick<Resource, 'kind' | 'key' | 'entry'>,
): Promise<void> => {
  const given = toDocument({ kind, key, entry, schemaVersion: documentVersion }, stack)
  const document = await door.admit(services, readDocument(given))
  const readSecret = () => undefined
  const changes = await planDocument(services, context, { document, prune: false, readSecret })
  const wanted = changes.filter((change) => isWork(change) && change.entry !== undefined)
  const applying = { ...context, keepsSecretElsewhere: true }
  for await (const _ of applyChanges(services, applying, { owner: document.owner, readSecret }, wanted)) {
    // There is one, or none.
  }
}

/** Gives the fields back what they had, where they still have what the adoption wrote. */
const giveBack = async (
  services: Services,
  context: RequestContext,
  record: ManagedRecord,
  { before, wrote = {} }: Adoption,
): Promise<void> => {
  const current = (await readValues({ services, context }, record)) ?? {}
  const isSame = (name: string, other: Values): boolean =>
    hashValues({ value: current[name] ?? null }) === hashValues({ value: other[name] ?? null })
  const given = Object.entries(before).filter(([name]) => isSame(name, wrote) && !isSame(name, before))
  if (given.length === 0) return
  const runner = createRunner(services, context)
  const values = { ...current, ...Object.fromEntries(given) }
  if (isThing(record.kind)) {
    await things[record.kind].update(runner, record.id, values)
    return
  }
  const { update, toEntry } = settings[record.kind]
  await update(runner, (await toEntry?.(services, values)) ?? values, record.key)
}

/** The kind and the key of a resource that the function gave no ID. */
const readNames = ({ ResourceProperties }: CloudFormationCustomResourceEvent) => {
  const { kind = '', key = '' } = readConfiguration(ResourceProperties) ?? {}
  return { kind: String(kind), key: String(key) }
}

const readRemoval = ({
  ResourceProperties,
}: CloudFormationCustomResourceEvent): Pick<Resource, 'onRemove'> | Record<string, never> => {
  const { on_remove: onRemove } = readConfiguration(ResourceProperties) ?? {}
  return onRemove === 'keep' || onRemove === 'delete' ? { onRemove } : {}
}

/** What the construct wrote. Undefined for anything else: a Delete must succeed in any case. */
const readConfiguration = ({
  Configuration: text,
}: CloudFormationCustomResourceEvent['ResourceProperties']): Values | undefined => {
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined
    return typeof value === 'object' && value !== null ? (value as Values) : undefined
  } catch {
    return undefined
  }
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
