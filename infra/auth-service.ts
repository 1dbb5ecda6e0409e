import { Annotations, NestedStack, RemovalPolicy, Stack, Token } from 'aws-cdk-lib'
import type { DomainName, HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront'
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch'
import type { EventBus } from 'aws-cdk-lib/aws-events'
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam'
import type { IKey, Key } from 'aws-cdk-lib/aws-kms'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { RetentionDays } from 'aws-cdk-lib/aws-logs'
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets'
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct, IDependable } from 'constructs'
import { operations } from '../lib/features/operations.ts'
import type { Group } from '../lib/kernel/contract/group.ts'
import type { MetricName } from '../lib/kernel/log/metrics.ts'
import { frontDoorSettings } from '../lib/kernel/settings/object-settings.ts'
import { serviceSettings } from '../lib/kernel/settings/service-settings.ts'
import { orDefault } from '../lib/kernel/settings/setting.ts'
import { stackSettings } from '../lib/kernel/settings/stack-settings.ts'
import { groupBy } from '../lib/kernel/util/group-by.ts'
import { type AuthorizerFunctions, createAuthorizerFunctions } from './authorizers/authorizer-functions.ts'
import { AuthorizingConstruct } from './authorizers/authorizing-construct.ts'
import { type AuthServiceAttributes, ImportedAuthService } from './authorizers/imported-auth-service.ts'
import { AuthProduct, type AuthProductProps, grantActions } from './configuration/auth-product.ts'
import { createFrontDoor } from './front-door/front-door.ts'
import {
  createFrontDoorAlarms,
  createFrontDoorLog,
  createFrontDoorParts,
} from './front-door/front-door-stacks.ts'
import { checkOriginSecretVersion, createOriginSecrets } from './front-door/origin-secret.ts'
import { createAlarms } from './monitoring/alarms.ts'
import { findAlarmTopic } from './monitoring/create-alarm.ts'
import { createDashboard } from './monitoring/dashboard.ts'
import { sumOfOwnMetric } from './monitoring/metrics.ts'
import { addStage, admitApi, createApi } from './parts/api.ts'
import { askLegacySystem, createAuditBus } from './parts/audit-bus.ts'
import { createAuditChain } from './parts/audit-chain.ts'
import { createBackup, createCopyVault, createReplicaKeys } from './parts/backup.ts'
import {
  type ConfigFunction,
  createConfig,
  createConfigFunction,
  type ServiceConfig,
} from './parts/config.ts'
import { createDailyJobs } from './parts/daily-jobs.ts'
import { addAliasRecords, createDomain, mapDomain } from './parts/domain.ts'
import { askForSigningKeys, createFirstAdmin, createSigningKeys } from './parts/first-admin.ts'
import { createFunction, type FunctionProps } from './parts/functions.ts'
import { callHooks, listHookGrants } from './parts/hooks.ts'
import { adoptKey, createAuditKey, createKey, createVaultKey } from './parts/keys.ts'
import {
  acknowledgeIdentities,
  createBackchannelLogout,
  createJobBus,
  createMailer,
  createMailSending,
} from './parts/mail.ts'
import { referWeakly } from './parts/newer-cdk.ts'
import { addOutputs, addProductOutputs } from './parts/outputs.ts'
import { adoptTable, createTable, type ServiceTable } from './parts/table.ts'
import {
  type AuthServiceProps,
  buildEnvironment,
  buildFrontDoorEnvironment,
  completeProps,
} from './settings/auth-service-props.ts'
import { findPropProblems, findRegion, isLocalOrigin, throwProblems } from './settings/check-props.ts'
import { isLastDayOver } from './settings/is-last-day-over.ts'

/** The functions behind the API: one for each group of operations, and one for all other requests. */
const folders: readonly (Group | 'unmatched')[] = [
  ...new Set<Group | 'unmatched'>([...operations.map(({ group }) => group), 'unmatched']),
]

/** Groups that send email directly, because the response reports the result. */
const sendsMail: readonly (Group | 'unmatched')[] = ['access-links']

const policies = { retain: RemovalPolicy.RETAIN, destroy: RemovalPolicy.DESTROY } as const

/** What CloudFormation created in a deployment that failed is empty, and is deleted. Everything older is kept. */
const toPolicyUnlessNew = (policy: RemovalPolicy): RemovalPolicy =>
  policy === RemovalPolicy.RETAIN ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : policy

/** Stacks in other regions refer to the one of the service. */
const findStackProblems = (props: AuthServiceProps, region: string): readonly string[] =>
  Token.isUnresolved(region)
    ? (['backupRegion', 'frontDoor'] as const)
        .filter((name) => props[name])
        .map(
          (name) =>
            `${name} requires the region of the stack, because stacks in other regions refer to it. Set it as region of the stage, or as env of your stack.`,
        )
    : []

/** The accounts of each product: `films` has none, and `films=444455556666` adds one. */
const listProducts = (entries: readonly string[]): readonly (readonly [string, readonly string[]])[] => {
  const pairs = entries.map((entry) => entry.split('='))
  return [...groupBy(pairs, ([name = '']) => name)].map(([name, own]) => [
    name,
    own.flatMap(([, account]) => account ?? []),
  ])
}

type Functions = Readonly<Record<Group | 'unmatched', LambdaFunction>>

/**
 * The authentication service: an HTTP API, a function for each group of operations, and the table. You can add it to
 * your own stack. Each function already has the permissions that it needs.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib'
 * import { AuthService } from '@latchkey/construct'
 *
 * const stack = new Stack(new App(), 'Product')
 * export const auth = new AuthService(stack, 'Auth', {
 *   publicUrl: 'https://auth.example.com',
 *   allowedOrigins: ['https://app.example.com'],
 * })
 * ```
 */
export class AuthService extends AuthorizingConstruct {
  /** The origin of the service, without a trailing slash. */
  readonly url: string
  readonly httpApi: HttpApi
  readonly table: ServiceTable
  /** Encrypts the secret, queues and topics, and the table unless the adopted table has another key. */
  readonly key: Key
  /** Encrypts secrets inside the table. Without it, users with a second factor cannot sign in. */
  readonly vaultKey: IKey
  /** Signs checkpoints of the audit log. */
  readonly auditKey: IKey
  /** Receives every audit event, for your own rules. */
  readonly auditBus: EventBus
  /** The functions, by the name of their folder. */
  readonly functions: Functions
  /** The domain name of the API, with the prop `domain`. An `ApiMapping` makes an API of yours a path there. */
  readonly domainName: DomainName | undefined
  /** CloudFront before the API, with the prop `frontDoor`. */
  readonly distribution: Distribution | undefined
  /** The address of the public keys that verify JWTs. */
  readonly jwksUrl: string
  /** The function of `authorizer()` without options, for authorizers that are created elsewhere. */
  readonly authorizerArn: string
  /** Where `latchkey config --function` sends its requests: a URL, or an alias in regions without function URLs. Callers need `lambda:InvokeFunctionUrl`. They can do what an administrator can. */
  readonly configUrl: string
  readonly configFunctionArn: string
  readonly configRoleArn: string
  readonly #config: ServiceConfig
  readonly #productConfig: ConfigFunction
  #products: NestedStack | undefined
  protected readonly authorizers: AuthorizerFunctions
  protected readonly discovery: IDependable[] = []

  /**
   * Uses a service that another app has deployed, from the values of its outputs. It has authorizers for your APIs, and no access to
   * the table.
   *
   * @example
   * ```ts
   * import { App, Stack } from 'aws-cdk-lib'
   * import { AuthService } from '@latchkey/construct'
   *
   * const stack = new Stack(new App(), 'Product')
   * const auth = AuthService.fromAttributes(stack, 'Auth', { url: 'https://auth.example.com' })
   * export const authorizer = auth.jwtAuthorizer({ audience: 'https://films.example.com' })
   * ```
   */
  static fromAttributes(
    scope: Construct,
    id: string,
    attributes: AuthServiceAttributes,
  ): ImportedAuthService {
    return new ImportedAuthService(scope, id, attributes)
  }

  /**
   * Contains the initial password of the user `admin`.
   *
   * @throws Error if the first administrator is invited by email
   */
  get adminPassword(): Secret {
    if (!this.#adminPassword)
      throw new Error('There is no password of the first administrator, because adminEmail invites them.')
    return this.#adminPassword
  }
  readonly #adminPassword: Secret | undefined

  /**
   * What the service counts, such as `LoginFailed`: a sum over an hour, unless the options say otherwise.
   *
   * @example
   * ```ts
   * import type { AuthService } from '@latchkey/construct'
   * import type { Construct } from 'constructs'
   *
   * export const watch = (scope: Construct, auth: AuthService) =>
   *   auth.metric('LoginFailed').createAlarm(scope, 'ManyFailures', { threshold: 1000, evaluationPeriods: 1 })
   * ```
   */
  metric(name: MetricName, options?: MetricOptions): Metric {
    return sumOfOwnMetric(this.table, name, undefined, options)
  }

  /** Answers with a 5xx status. */
  metricServerError(options?: MetricOptions): Metric {
    return this.httpApi.metricServerError(options)
  }

  /** Answers with a 4xx status. */
  metricClientError(options?: MetricOptions): Metric {
    return this.httpApi.metricClientError(options)
  }

  /** The milliseconds from a request to its answer. */
  metricLatency(options?: MetricOptions): Metric {
    return this.httpApi.metricLatency(options)
  }

  /** Lets a role configure the service, by constructs and by files. It can do what an administrator can. */
  grantConfigure(grantee: IGrantable): Grant {
    return grantActions(grantee, this.#config.actions)
  }

  /**
   * Adds a product, whose stacks and files configure its own clients and APIs, and nothing else. IAM decides who may do that: an alias of the
   * function stands for the product.
   *
   * @throws Error if the name or an account is none, or if the product exists already
   * @example
   * ```ts
   * import type { AuthService } from '@latchkey/construct'
   * import type { IGrantable } from 'aws-cdk-lib/aws-iam'
   *
   * export const admit = (auth: AuthService, pipeline: IGrantable) => auth.addProduct('films').grantConfigure(pipeline)
   * ```
   */
  addProduct(name: string, ...given: [props?: AuthProductProps]): AuthProduct {
    this.#products ??= new NestedStack(this, 'Products', {
      description: 'Latchkey: who configures which product',
    })
    const product = new AuthProduct(this.#products, name, given, this.#productConfig)
    addProductOutputs(this, name, product)
    return product
  }

  constructor(scope: Construct, id: string, given: AuthServiceProps = {}) {
    super(scope, id)
    const stack = Stack.of(this)
    const { region } = stack
    throwProblems([...findPropProblems(given, findRegion(region)), ...findStackProblems(given, region)])
    const props = completeProps(given)
    const { domain } = props

    const removalPolicy = policies[orDefault(stackSettings.removalPolicy, props.removalPolicy)]
    const logRetention: RetentionDays = orDefault(stackSettings.logRetention, props.logRetention)
    const throttle = {
      rateLimit: orDefault(stackSettings.requestsPerSecond, props.requestsPerSecond),
      burstLimit: orDefault(stackSettings.requestsInBurst, props.requestsInBurst),
    }
    // CloudFormation cannot delete the protected table when a first deployment fails, so its key must remain as well.
    this.key = createKey(this, removalPolicy)
    const unlessNew = toPolicyUnlessNew(removalPolicy)
    this.vaultKey = props.vaultKeyArn
      ? adoptKey(this, 'AdoptedVaultKey', props.vaultKeyArn)
      : createVaultKey(this, unlessNew)
    this.auditKey = props.auditKeyArn
      ? adoptKey(this, 'AdoptedAuditKey', props.auditKeyArn)
      : createAuditKey(this, unlessNew)
    this.table = props.table
      ? adoptTable(this, props.table, this.key)
      : createTable(this, this.key, { ...props, removalPolicy })
    this.httpApi = createApi(this, {
      hasDefaultUrl:
        domain === undefined || (!props.frontDoor && orDefault(stackSettings.defaultUrl, props.defaultUrl)),
    })
    this.url = props.publicUrl ?? (domain ? `https://${domain.name}` : this.httpApi.apiEndpoint)
    this.jwksUrl = `${this.url}/.well-known/jwks.json`

    const frontDoor =
      domain && props.frontDoor && createFrontDoorParts(stack, domain, props.frontDoor, logRetention)
    const originSecretVersion = orDefault(
      frontDoorSettings.originSecretVersion,
      frontDoor?.originSecretVersion,
    )
    const originSecrets = frontDoor && createOriginSecrets(this, this.key, originSecretVersion)
    const environment = buildEnvironment(props, { tableName: this.table.tableName, publicUrl: this.url })
    const common = {
      table: this.table,
      vaultKey: this.vaultKey,
      otherVaultKey: props.otherVaultKeyArn
        ? adoptKey(this, 'OtherVaultKey', props.otherVaultKeyArn)
        : undefined,
      environment,
      logRetention,
      bundleDir: props.bundleDir,
      wholeTableGrants: orDefault(stackSettings.wholeTableGrants, props.wholeTableGrants),
      tracing: orDefault(stackSettings.tracing, props.tracing),
      hashingConcurrency: props.hashingConcurrency,
    }
    if (common.wholeTableGrants)
      Annotations.of(this).addWarningV2(
        'latchkey:wholeTableGrants',
        'wholeTableGrants is on: an error in one function can read and change every item of the table, also sessions and keys. Turn it off as soon as DynamoDB no longer refuses calls.',
      )
    const localOrigins = props.allowedOrigins?.filter(isLocalOrigin) ?? []
    if (localOrigins.length > 0 && stack.terminationProtection)
      Annotations.of(this).addWarningV2(
        'latchkey:localOrigins',
        `allowedOrigins names ${localOrigins.join(', ')} in a protected stack. Any program on the machine of a user can serve pages there. Name it in stages for development alone.`,
      )
    if (isLastDayOver(props.securityContactUntil))
      Annotations.of(this).addWarningV2(
        'latchkey:securityContact',
        'securityContactUntil is over, so /.well-known/security.txt is a 404. Check securityContact, and set another day.',
      )
    if (isLastDayOver(props.legacyPasswordCheckUntil))
      Annotations.of(this).addWarningV2(
        'latchkey:legacyPasswordCheck',
        'legacyPasswordCheckUntil is over, so the old system is not asked any more. Remove legacyPasswordCheck and legacyPasswordCheckUntil.',
      )
    const sending = createMailSending(this, props.mailFrom, {
      ...common,
      key: this.key,
      tlsPolicy: orDefault(stackSettings.mailTlsPolicy, props.mailTlsPolicy),
    })
    const { events: mailEvents } = sending
    const behindApi = {
      ...common,
      environment: { ...environment, ...buildFrontDoorEnvironment(frontDoor, originSecrets?.accepted) },
    }
    const withSender = {
      ...behindApi,
      environment: { ...behindApi.environment, ...sending.environment },
    }
    const sender = { ...withSender, statements: sending.statements }
    const jobBus = createJobBus(this)
    const propsOf = (name: Group | 'unmatched') => {
      const calling = (given: FunctionProps) => callHooks(given, name, props.hooks)
      if (sendsMail.includes(name)) return calling(sender)
      if (name === 'oidc') return calling(askForSigningKeys(behindApi, jobBus))
      if (name === 'sessions') return calling(askLegacySystem(behindApi, props))
      // They say whether there is a sender, and cannot send.
      return name === 'health' || name === 'pages' ? withSender : calling(behindApi)
    }
    this.functions = Object.fromEntries(
      folders.map((name) => [name, createFunction(this, name, propsOf(name))]),
    ) as Functions
    for (const name of sendsMail) acknowledgeIdentities(this.functions[name])
    const permissions = admitApi(this, this.httpApi, this.functions)
    const ownDomain = domain && createDomain(this.httpApi, domain)
    this.domainName = ownDomain?.domainName
    const { functions } = this
    const stage = addStage(this.httpApi, { throttle, logRetention, functions, permissions })
    const formerDomain = props.formerDomain && createDomain(this.httpApi, props.formerDomain)
    const mappings = [ownDomain, formerDomain].flatMap((one) =>
      one ? [mapDomain(one, this.httpApi, stage)] : [],
    )
    if (frontDoor && ownDomain && originSecrets) {
      const origin = { ...ownDomain, originSecret: originSecrets.current }
      this.distribution = createFrontDoor(this, origin, frontDoor)
      // The functions must accept a new secret before CloudFront sends it.
      this.distribution.node.addDependency(...Object.values(this.functions))
      createFrontDoorLog(stack, this.distribution, logRetention)
      createFrontDoorAlarms(stack, this.distribution, frontDoor, props)
    }
    if (ownDomain) {
      const target = this.distribution && new CloudFrontTarget(this.distribution)
      this.discovery.push(...addAliasRecords(ownDomain, target))
    }
    if (formerDomain) addAliasRecords(formerDomain)
    this.discovery.push(stage, ...mappings, this.functions.oidc)
    if (this.distribution) this.discovery.push(this.distribution)
    const { secret, setUp } = createFirstAdmin(this, {
      ...common,
      key: this.key,
      removalPolicy: unlessNew,
      adminEmail: props.mailFrom === undefined ? undefined : props.adminEmail,
    })
    this.#adminPassword = secret
    if (frontDoor) {
      const check = checkOriginSecretVersion(this, originSecretVersion, setUp)
      for (const target of Object.values(this.functions)) target.node.addDependency(check)
    }

    const { mailer, failedJobs } = createMailer(this, { ...common, key: this.key, sending })
    const backchannelLogout = createBackchannelLogout(this, { ...common, jobBus })
    const { bus, forwarder, deadLetters } = createAuditBus(this, { ...common, key: this.key, jobBus })
    this.auditBus = bus
    const dailyJobs = createDailyJobs(this, common)
    const signingKeys = createSigningKeys(this, { ...common, jobBus })
    const { target: auditChain, archive } = createAuditChain(this, {
      ...common,
      auditKey: this.auditKey,
      removalPolicy: unlessNew,
      hasArchive: orDefault(stackSettings.auditArchive, props.auditArchive),
      retentionDays: orDefault(serviceSettings.auditRetentionDays, props.auditRetentionDays),
    })

    const config = createConfig(this, common)
    this.#config = config
    this.configUrl = config.url
    this.configFunctionArn = config.target.functionArn
    this.configRoleArn = config.roleArn
    const productConfig = createConfigFunction(this, 'config-product', common)
    this.#productConfig = productConfig

    const backgroundFunctions = {
      mailer,
      ...(mailEvents ? { 'mail-events': mailEvents.target } : {}),
      ...dailyJobs,
      'signing-keys': signingKeys,
      'audit-chain': auditChain,
      'backchannel-logout': backchannelLogout,
      'audit-forward': forwarder,
      config: config.target,
      'config-product': productConfig.target,
    }
    const watched = {
      httpApi: this.httpApi,
      functions: { ...this.functions, ...backgroundFunctions },
      backgroundFunctions,
      streamReaders: { mailer, 'audit-forward': forwarder },
      auditChain,
      asksLegacySystem: Boolean(props.legacyPasswordCheck),
      callsHooks: listHookGrants(props.hooks).length > 0,
      certificate: ownDomain?.certificate,
      table: this.table,
      deadLetters: [
        {
          queue: failedJobs,
          content: 'emails that could not be sent',
          runbook: 'emails-that-could-not-be-sent',
        },
        {
          queue: deadLetters,
          content: 'audit events that were not forwarded',
          runbook: 'handle-audit-events-that-were-not-forwarded',
        },
        ...(mailEvents
          ? [
              {
                queue: mailEvents.deadLetters,
                content: 'bounces and complaints that were not recorded',
                runbook: 'bounces-that-were-not-recorded',
              },
            ]
          : []),
      ],
    }
    // A stack of its own, because CloudFormation allows 500 resources in each.
    const monitoring = new NestedStack(this, 'Monitoring', { description: 'Latchkey: alarms and dashboard' })
    const topic = findAlarmTopic(this, this.key, props)
    createAlarms(monitoring, watched, topic)
    this.authorizers = createAuthorizerFunctions(this, common, { scope: monitoring, topic })
    this.authorizerArn = this.authorizers.shared.functionArn
    if (orDefault(stackSettings.dashboard, props.dashboard))
      createDashboard(monitoring, {
        ...watched,
        functions: { ...watched.functions, authorizer: this.authorizers.shared },
      })
    const { backupRegion } = props
    if (props.backup) {
      const copyVault = backupRegion ? createCopyVault(this, backupRegion, unlessNew) : undefined
      createBackup(this, this.table, { key: this.key, removalPolicy: unlessNew, copyVault, topic })
    }
    if (backupRegion) {
      // Adopted keys may be replicas, which cannot have replicas.
      const own = {
        ...(props.vaultKeyArn ? {} : { VaultKey: this.vaultKey }),
        ...(props.auditKeyArn ? {} : { AuditKey: this.auditKey }),
      }
      createReplicaKeys(this, backupRegion, own, unlessNew)
    }
    const target = this.distribution?.distributionDomainName ?? ownDomain?.domainName.regionalDomainName
    const domainTarget = ownDomain?.zone ? undefined : target
    referWeakly([
      ...[this.httpApi, this.auditBus, ...Object.values(watched.functions)],
      ...(secret ? [secret] : []),
    ])
    addOutputs(this, this, {
      config,
      productConfig,
      adminPassword: secret,
      domainTarget,
      isTableAdopted: props.table !== undefined,
      signingKeys,
      checkpointLog: auditChain.logGroup.logGroupName,
      archive: archive?.bucketName,
      alarmEmail: props.alarmEmail,
    })
    for (const [name, accounts] of listProducts(orDefault(stackSettings.products, props.products)))
      this.addProduct(name, { accounts })
  }
}
