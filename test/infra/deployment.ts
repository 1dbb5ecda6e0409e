import { randomUUID } from 'node:crypto'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { createTable } from '../../local/dynamodb.ts'
import { startGateway } from '../../local/gateway/gateway.ts'
import { createAsyncCalls } from '../runner/async-calls.ts'
import { createAuthorizer } from '../runner/authorizer.ts'
import { type AwsServices, startAwsServices } from '../runner/aws-services.ts'
import { createDeadLetters, type DeadLetter } from '../runner/dead-letters.ts'
import { createEventSources, type EventSources } from '../runner/event-sources.ts'
import { resolveSecrets } from '../runner/generated-secrets.ts'
import { startLazily } from '../runner/lazy-function.ts'
import { listPlatformCalls } from '../runner/platform-calls.ts'
import { type StreamSources, startStreamSources } from '../runner/stream-sources.ts'
import { adoptedTableOf, factsOf, region } from '../runner/template-facts.ts'
import { readGatewaySettings, routesOf } from '../runner/template-routes.ts'
import type { Usage } from '../runner/usage.ts'
import type { JsonValue } from '../support/client.ts'
import type { KeyMaterial, StubKms } from '../support/kms.ts'
import { operationKeyOf } from '../support/operation-key.ts'
import { patientTimeoutMs } from '../support/patient-client.ts'
import type { TableHooks } from './dynamodb-proxy.ts'
import type { StubEventBridge } from './event-bridge-stub.ts'
import { resolve } from './intrinsics.ts'
import { type FunctionOptions, type RunningFunction, startFunction } from './lambda.ts'
import type { StubLambda } from './lambda-stub.ts'
import { statementsOf } from './policies.ts'
import type { SentMail } from './ses-stub.ts'
import { startStub } from './stub-server.ts'
import { resourcesOf, type Synthesis } from './synthesis.ts'

export const adminPassword = 'The-Secret-Of-The-Stack-0123456789'

export interface Deployment {
  readonly url: string
  /** The functions by logical id, each in its own process. */
  readonly functions: ReadonlyMap<string, RunningFunction>
  /** Returns the calls that roles did not allow since the last call of this function. */
  readonly takeDenials: () => readonly string[]
  /** What happened so far. */
  readonly usage: () => Usage
  /** The table endpoint of the functions, which denies calls that their role does not allow. */
  readonly tableEndpoint: string
  readonly tableName: string
  /** Throttles the next calls that match. */
  readonly throttleNext: AwsServices['throttleNext']
  /** Loses the first answer to each different call that matches, until the next call of this function. */
  readonly loseAnswers: AwsServices['loseAnswers']
  /** Refuses all calls that match, until the next call of this function. */
  readonly failTable: AwsServices['failTable']
  /** The environment of a function. */
  readonly environmentOf: (functionId: string) => Readonly<Record<string, string>>
  readonly mails: readonly SentMail[]
  readonly kms: StubKms
  readonly eventBridge: StubEventBridge
  /** The functions of others. */
  readonly lambda: StubLambda
  /** Secrets of the service and of other stacks. */
  readonly secrets: AwsServices['secrets']
  /** What functions stored in S3, by bucket and name. */
  readonly objects: ReadonlyMap<string, Buffer>
  readonly stream: StreamSources
  /** Schedules and topics, which fire when the test wants it. */
  readonly sources: EventSources
  readonly deadLetters: readonly DeadLetter[]
  /** Responses of functions to CloudFormation. */
  readonly responses: readonly JsonValue[]
  readonly responseUrl: string
  readonly close: () => Promise<void>
}

export interface DeployOptions extends FunctionOptions {
  /** Returns settings in addition to the environment of the template, for the URL of the service. */
  readonly settingsFor?: (url: string) => Readonly<Record<string, string>>
  /** The access key of the test itself, whose calls are all allowed. */
  readonly testKeyId?: string
  /** Receives the emails. */
  readonly mailUrl?: string
  /** The keys of another deployment, of which this one has replicas. */
  readonly keyMaterial?: KeyMaterial
  /** Whether the stream of the table calls functions. */
  readonly deliversStream?: boolean
  /** Called with the table calls of all functions and of the test. */
  readonly tableHooks?: TableHooks | undefined
  /** Called before each request of a route, with the logical ID of its function. */
  readonly onRequest?: (
    target: string,
    invoke: (id: string, event: unknown) => Promise<unknown>,
  ) => Promise<unknown>
  /** Called with each response of an operation. */
  readonly onAnswer?: (operationKey: string, answer: JsonValue) => void
}

/**
 * Runs what the template would deploy: the bundles of its functions with only their environment, behind its routes.
 * Replacements for AWS services allow each function only what its role allows.
 */
export const deploy = async (
  { template, permissions, assetOf }: Synthesis,
  engine: string,
  options: DeployOptions = {},
): Promise<Deployment> => {
  const tableName = adoptedTableOf(template) ?? `latchkey-${randomUUID()}`
  await createTable(engine, tableName)
  const facts = factsOf(template, tableName)
  const functionIds = resourcesOf(template, 'AWS::Lambda::Function').map(([id]) => id)
  const authorizer = createAuthorizer(
    new Map(functionIds.map((id) => [id, statementsOf(template, id, facts)])),
  )
  const deadLetters = createDeadLetters(template, facts, authorizer)
  const invoke = async (id: string, event: unknown): Promise<JsonValue> => functions.get(id)?.invoke(event)
  const stream = startStreamSources({ template, facts, authorizer, deadLetters, invoke, retryAfterMs: 20 })
  const callAsync = createAsyncCalls({ template, facts, deadLetters, invoke })
  const services = await startAwsServices({
    template,
    facts,
    engine,
    secret: adminPassword,
    mailUrl: options.mailUrl,
    keyMaterial: options.keyMaterial,
    tableHooks: options.tableHooks,
    readTime: options.readClock && (() => options.readClock?.().now ?? Date.now()),
    may: (call) => call.functionId === options.testKeyId || authorizer.may(call),
    onTableCall: (call) => {
      if (options.deliversStream) stream.add(call)
    },
  })
  const responses: JsonValue[] = []
  const cloudformation = await startStub(({ body, headers }) => {
    // The signature of the URL covers a request without a content type.
    if (headers['content-type']) return { status: 403 }
    responses.push(JSON.parse(body))
    return { status: 200 }
  })

  const environmentOf = (id: string): Readonly<Record<string, string>> => ({
    ...resolveSecrets(resolve(template.Resources[id]?.Properties.Environment.Variables, facts)),
    ...options.settingsFor?.(gateway.url),
    AWS_REGION: region,
    AWS_LAMBDA_FUNCTION_NAME: id,
    AWS_ACCESS_KEY_ID: id,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    BREACH_ENDPOINT: '',
    CLOUDFORMATION_ENDPOINT: cloudformation.url,
    ...services.environment,
  })
  const start = (id: string): Promise<RunningFunction> => {
    const denied = listPlatformCalls(template, facts, id).filter((call) => !authorizer.may(call))
    if (denied.length > 0) throw new Error(`${id} may not write its log or its traces.`)
    return startFunction(assetOf(id), environmentOf(id), options)
  }
  const functions = new Map(functionIds.map((id) => [id, startLazily(async () => start(id))]))
  const served = new Set<string>()
  const serve = async (target: string, event: APIGatewayProxyEventV2): Promise<JsonValue> => {
    await options.onRequest?.(target, invoke)
    const answer = await invoke(target, event)
    const operationKey = operationKeyOf(event)
    if (answer?.statusCode < 400) served.add(operationKey)
    options.onAnswer?.(operationKey, answer)
    return answer
  }

  const routes = routesOf({ template, permissions })
  const [defaultTarget = ''] = routes.flatMap(({ routeKey, target }) =>
    routeKey === '$default' ? [target] : [],
  )
  const gateway = await startGateway({
    port: 0,
    functionTimeoutMs: patientTimeoutMs,
    ...readGatewaySettings(template),
    routes: routes.filter(({ routeKey }) => routeKey !== '$default'),
    invoke: (target, event) => serve(target === '$default' ? defaultTarget : target, event),
  })
  return {
    url: gateway.url,
    functions,
    takeDenials: authorizer.takeDenials,
    usage: () => ({ served: [...served], calls: authorizer.samples(), denials: authorizer.denials() }),
    tableEndpoint: services.table.url,
    tableName,
    throttleNext: services.throttleNext,
    loseAnswers: services.loseAnswers,
    failTable: services.failTable,
    environmentOf,
    mails: services.ses.mails,
    kms: services.kms,
    eventBridge: services.eventBridge,
    lambda: services.lambda,
    secrets: services.secrets,
    objects: services.s3.objects,
    stream,
    sources: createEventSources(template, facts, callAsync),
    deadLetters: deadLetters.messages,
    responses,
    responseUrl: cloudformation.url,
    close: async () => {
      stream.close()
      await gateway.close()
      await Promise.all([...functions.values()].map(({ stop }) => stop()))
      await Promise.all([services.close(), cloudformation.close()])
    },
  }
}
