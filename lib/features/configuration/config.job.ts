import type { CloudFormationCustomResourceEvent, Context } from 'aws-lambda'
import type * as z from 'zod/mini'
import { safeParse } from 'zod/mini'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import type { HttpEvent, HttpResult } from '../../http/http-types.ts'
import { buildProblemResponse, toAppError, toProblem } from '../../http/problem.ts'
import { checkSizeAndType, readBody } from '../../http/validate.ts'
import { AppError, conflict, type FieldError, invalidRequest } from '../../kernel/errors/errors.ts'
import { toFieldErrors } from '../../kernel/errors/field-error.ts'
import { readOwn } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { applyChanges } from './apply.part.ts'
import { type DoorPath, type DoorRequest, doorBodyLimitBytes, doorRequests } from './door.models.ts'
import { type DoorReplies, hashPlan, planDocument, type ShownApplied, toShownChange } from './door.part.ts'
import {
  createProductDoor,
  type DoorServices,
  type Entrance,
  type FindEntrance,
  findServiceEntrance,
} from './doors.part.ts'
import { exportDocument } from './export.part.ts'
import { renewAndCheckSecrets, requireRenewable } from './held-secrets.part.ts'
import { readOutputs } from './outputs.part.ts'
import { isWork } from './plan.part.ts'
import { readDocument } from './read-document.ts'
import { answerResource, refuseResource } from './resource.part.ts'
import { applyTransfer, planTransfer, type Transferable } from './transfer.part.ts'

/** The event of a function URL. With `AWS_IAM`, Lambda adds who signed the request. */
type UrlEvent = HttpEvent & {
  readonly requestContext: { readonly authorizer?: { readonly iam?: { readonly userArn?: string } } }
}

/** What somebody invokes the alias with in regions without function URLs. It is whatever they sent. */
interface InvokedEvent {
  readonly path?: unknown
  readonly body?: unknown
}

type Invocation = Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis' | 'invokedFunctionArn'>

/** A change begins only with this much time left. The command sends the rest again. */
const reserveMs = 20_000

/**
 * Answers requests that plan and apply documents, and events of CloudFormation about custom resources. IAM decides who may call which alias:
 * they can do what its door lets through, in the way that it takes.
 */
export const createConfigJob =
  (services: Services, findEntrance: FindEntrance = findServiceEntrance) =>
  async (
    event: UrlEvent | InvokedEvent | CloudFormationCustomResourceEvent | null,
    lambda: Invocation,
  ): Promise<HttpResult | undefined> => {
    const { door, takes } = findEntrance(readAlias(lambda)) ?? closed
    const at = { services, door }
    if (isResourceEvent(event)) {
      if (takes.includes('resources')) return answerResource(at, event, lambda)
      // CloudFormation waits for an answer.
      if (takes.length === 0) return refuseResource(event, noEntrance)
    }
    if (takes.includes('invoked'))
      return answerUrl(
        at,
        toUrlEvent(event as InvokedEvent | null, lambda),
        `unverified:${readAlias(lambda)}`,
        lambda,
      )
    const sent = isUrlEvent(event) ? event : toUrlEvent(null, lambda)
    return answerUrl(at, sent, takes.includes('url') ? readSigner(sent) : undefined, lambda)
  }

/** Takes nothing. The door is that of a product without things. */
const closed: Entrance = { door: createProductDoor(''), takes: [] }

const noEntrance =
  'This function takes no events under this name. Use the output of the stack, which names an alias for each product.'

/** The last part of the name under which a function was invoked. */
const readAlias = ({ invokedFunctionArn }: Invocation): string | undefined => invokedFunctionArn.split(':')[7]

const isResourceEvent = (event: unknown): event is CloudFormationCustomResourceEvent =>
  isObject(event) && 'ResponseURL' in event

const isUrlEvent = (event: unknown): event is UrlEvent =>
  isObject(event) && 'requestContext' in event && 'headers' in event

/** Those who may invoke an alias can send anything. */
const isObject = (event: unknown): event is object => typeof event === 'object' && event !== null

/**
 * Takes only path and body of what was sent. Everything else is a claim, also that CloudFormation sent it.
 */
const toUrlEvent = (sent: InvokedEvent | null, { awsRequestId }: Invocation): UrlEvent => ({
  version: '2.0',
  routeKey: '$default',
  rawPath: typeof sent?.path === 'string' ? sent.path : '',
  rawQueryString: '',
  headers: { 'content-type': 'application/json' },
  requestContext: {
    ...{
      accountId: '',
      apiId: '',
      domainName: '',
      domainPrefix: '',
      routeKey: '$default',
      stage: '$default',
    },
    ...{ requestId: awsRequestId, time: '', timeEpoch: 0 },
    http: { method: 'POST', path: '', protocol: '', sourceIp: 'Lambda', userAgent: '' },
  },
  body: JSON.stringify(sent?.body ?? null),
  isBase64Encoded: false,
})

const answerUrl = async (
  at: DoorServices,
  event: UrlEvent,
  actorPrincipal: string | undefined,
  lambda: Invocation,
): Promise<HttpResult> => {
  const { services } = at
  const { requestId } = event.requestContext
  const path = event.rawPath
  try {
    if (actorPrincipal === undefined) throw new AppError('permission_denied', { detail: onlySigned })
    const body = await answer(at, createContext(services, event, actorPrincipal), event, lambda)
    services.log.info('config.answered', { requestId, path, actorPrincipal })
    return {
      statusCode: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: JSON.stringify(body),
    }
  } catch (error) {
    const problem = toProblem(error, requestId)
    const fields = { requestId, path, actorPrincipal, status: problem.status }
    if (problem.status >= 500) services.log.error('config.failed', { ...fields, error })
    else services.log.warn('config.refused', fields)
    return buildProblemResponse(problem)
  }
}

const onlySigned = 'Send a request to the URL of this function, signed with AWS Signature Version 4.'

/**
 * Who signed the request. Lambda itself says so in events of a URL, which belongs to an alias that nothing else may invoke. Those who may
 * invoke the function under another name can write any event, so its caller is not believed.
 */
const readSigner = ({ requestContext }: UrlEvent): string | undefined => {
  const arn = requestContext.authorizer?.iam?.userArn
  return typeof arn === 'string' && arn !== '' ? arn : undefined
}

const createContext = (
  { now }: Services,
  { requestContext: { http, requestId } }: UrlEvent,
  actorPrincipal: string,
): RequestContext => ({
  address: http.sourceIp,
  userAgent: http.userAgent ?? '',
  requestId,
  actor: null,
  credential: 'configuration',
  actorPrincipal,
  at: now(),
})

const answer = async (
  at: DoorServices,
  context: RequestContext,
  event: UrlEvent,
  lambda: Invocation,
): Promise<DoorReplies[DoorPath]> => {
  const { rawPath, requestContext } = event
  if (readOwn(doorRequests, rawPath) === undefined) throw new AppError('not_found')
  if (requestContext.http.method !== 'POST')
    throw new AppError('method_not_allowed', { headers: { allow: 'POST' } })
  checkSizeAndType(event, { bodyLimitBytes: doorBodyLimitBytes })
  const input = readBody(event, {})
  if (rawPath === '/plan') return plan(at, context, parse(doorRequests['/plan'], input))
  if (rawPath === '/apply') return apply(at, context, parse(doorRequests['/apply'], input), lambda)
  if (rawPath === '/transfer') return transfer(at, context, parse(doorRequests['/transfer'], input), lambda)
  const { owner } = parse(doorRequests['/export'], input)
  at.door.requireExport()
  const document = await exportDocument(at.services, context, owner)
  if (Buffer.byteLength(JSON.stringify(document)) > doorBodyLimitBytes)
    throw new AppError('payload_too_large', { detail: tooLargeExport })
  return { document }
}

const tooLargeExport = `The configuration has more than ${doorBodyLimitBytes / 1024 / 1024} MB with its images. Upload smaller images.`

/** @throws AppError `invalid_request` */
const parse = <Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> => {
  const result = safeParse(schema, input)
  if (!result.success) throw invalidRequest(toFieldErrors(result.error, input, 'body'))
  return result.data
}

const toPlanRequest = async (
  { services, door }: DoorServices,
  { document, prune = false, secrets = {} }: DoorRequest<'/plan'>,
) => ({
  document: await door.admit(services, readDocument(document)),
  prune,
  readSecret: (name: string) => readOwn(secrets, name),
})

const plan = async (
  at: DoorServices,
  context: RequestContext,
  request: DoorRequest<'/plan'>,
): Promise<DoorReplies['/plan']> => {
  const wanted = await toPlanRequest(at, request)
  const changes = (await planDocument(at.services, context, wanted)).map(toShownChange)
  return { changes, plan: hashPlan(changes) }
}

/** Applies what the plan says, or as much of it as the time allows. */
const apply = async (
  at: DoorServices,
  context: RequestContext,
  request: DoorRequest<'/apply'>,
  { getRemainingTimeInMillis }: Invocation,
): Promise<DoorReplies['/apply']> => {
  const { services } = at
  const { held = {}, renew = [] } = request
  const wanted = await toPlanRequest(at, request)
  const { document } = wanted
  requireRenewable({ document, held, renew })
  const changes = (await planDocument(services, context, wanted)).filter(isWork)
  if (hashPlan(changes) !== request.plan) throw conflict(otherPlan)
  const { owner } = document
  const applied: ShownApplied[] = []
  let errors: readonly FieldError[] = []
  try {
    for await (const { change, outputs } of applyChanges(
      services,
      context,
      { ...wanted, owner, held },
      changes,
    )) {
      applied.push({ change: { kind: change.kind, key: change.key }, outputs })
      if (getRemainingTimeInMillis() < reserveMs) break
    }
  } catch (error) {
    // What was applied before may have made secrets, which nobody could read again.
    if (applied.length === 0) throw error
    const { requestId } = context
    services.log.error('config.stopped', { requestId, applied: applied.length, error })
    errors = toAppError(error)?.details.errors ?? [{ field: 'document', message: stopped(requestId) }]
  }
  const rest = changes.slice(applied.length)
  return {
    applied,
    errors,
    rest: rest.length === 0 ? null : hashPlan(rest),
    outputs: await readOutputs(services, owner),
    secrets:
      rest.length === 0 && errors.length === 0
        ? await renewAndCheckSecrets(services, context, { document, held, renew })
        : {},
  }
}

/** Lists what a transfer would move, or moves as much of it as the time allows. */
const transfer = async (
  { services, door }: DoorServices,
  context: RequestContext,
  { is_dry_run: isDryRun, ...owners }: DoorRequest<'/transfer'>,
  { getRemainingTimeInMillis }: Invocation,
): Promise<DoorReplies['/transfer']> => {
  const admitted = door.admitTransfer(owners)
  if (isDryRun) return { ...(await planTransfer(services, admitted)), hasMore: false }
  const things: Transferable[] = []
  for await (const thing of applyTransfer(services, context, admitted)) {
    things.push(thing)
    if (getRemainingTimeInMillis() < reserveMs) return { things, nearest: null, hasMore: true }
  }
  return { things, nearest: null, hasMore: false }
}

const stopped = (requestId: string): string =>
  `was applied in part. Run the command again. The log has the reason under ${requestId}`

const otherPlan = 'The service has changed since the plan was shown. Nothing was changed. Plan again.'
