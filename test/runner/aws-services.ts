import {
  accessDenied,
  type Refusal,
  signerOf,
  startProxy,
  type TableCall,
  type TableHooks,
} from '../infra/dynamodb-proxy.ts'
import { startEventBridge } from '../infra/event-bridge-stub.ts'
import type { Facts } from '../infra/intrinsics.ts'
import { startLambda } from '../infra/lambda-stub.ts'
import { neededPermissions } from '../infra/needed-permissions.ts'
import { startS3 } from '../infra/s3-stub.ts'
import { startSes } from '../infra/ses-stub.ts'
import { resourcesOf, type Template } from '../infra/synthesis.ts'
import type { JsonValue } from '../support/client.ts'
import { type KeyMaterial, startKms } from '../support/kms.ts'
import { patientTimeoutMs } from '../support/patient-client.ts'
import { startSecretsManager } from '../support/secrets-manager.ts'
import type { AwsCall } from './authorizer.ts'
import { createLosses } from './lost-answers.ts'
import { createStrictTable } from './strict-table/strict-table.ts'
import { account, ownKeyArnOf, region, roleArnOf, tableArn, tableKeyArnOf } from './template-facts.ts'

export interface AwsServicesOptions {
  readonly template: Template
  readonly facts: Facts
  /** The endpoint of the engine. */
  readonly engine: string
  readonly may: (call: AwsCall) => boolean
  /** The value of the secret. */
  readonly secret: string
  /** Receives emails that the role of their function allows. Without it, they only become part of `mails`. */
  readonly mailUrl?: string | undefined
  /** The keys of another deployment, of which this one has replicas. */
  readonly keyMaterial?: KeyMaterial | undefined
  /** The clock of the functions, in epoch milliseconds. */
  readonly readTime?: (() => number) | undefined
  /** Called after each successful table call. */
  readonly onTableCall?: (call: TableCall) => void
  /** Called before a role or another transaction can refuse the call, so that it may call the table as well. */
  readonly tableHooks?: TableHooks | undefined
}

/**
 * DynamoDB uses the key of a table on behalf of the caller. These are the actions that its documentation requires for
 * a key that the customer manages.
 */
const keyUseByDynamodb = [
  'Decrypt',
  'DescribeKey',
  'Encrypt',
  'GenerateDataKey',
  'GenerateDataKeyWithoutPlaintext',
  'ReEncryptFrom',
  'ReEncryptTo',
]

/** What the resource policy of a secret of another stack allows a role to do. */
export interface AdmittedRole {
  readonly secretArn: string
  readonly roleArn: string
  readonly actions: readonly string[]
}

/** Starts replacements of the services that functions call. Each allows a function only what its role allows. */
export const startAwsServices = async (options: AwsServicesOptions) => {
  const { template, facts, may, tableHooks } = options
  const keys = {
    dynamodb: tableKeyArnOf(template, facts),
    secretsmanager: ownKeyArnOf(template, facts),
  }
  /** Whether the role allows a service to use its key for the function. */
  const mayUseKey = (functionId: string, service: keyof typeof keys, actions: readonly string[]): boolean =>
    actions.every((action) =>
      may({
        functionId,
        action: `kms:${action}`,
        resource: keys[service],
        conditions: { 'kms:ViaService': `${service}.${region}.amazonaws.com` },
      }),
    )

  const refuse = async (call: TableCall): Promise<Refusal> => {
    const refusal = await tableHooks?.refuse?.(call)
    if (refusal !== undefined) return refusal
    if (isFailing(call)) return 'the table fails'
    const functionId = call.accessKeyId
    const denied = neededPermissions(call, tableArn).find(
      ({ action, resource, leadingKeys }) =>
        !may({ functionId, action, resource, conditions: { 'dynamodb:LeadingKeys': leadingKeys } }),
    )
    if (denied) return `not authorized to perform ${denied.action} on ${denied.resource}`
    return mayUseKey(functionId, 'dynamodb', keyUseByDynamodb) ? undefined : 'not authorized to use the key'
  }
  const strict = createStrictTable()
  const losses = createLosses()
  let isFailing: (call: TableCall) => boolean = () => false
  const table = await startProxy({
    endpoint: options.engine,
    readTime: options.readTime,
    refuse,
    intercept: strict.start,
    losesAnswer: (call) => tableHooks?.losesAnswer?.(call) || losses.isLost(call),
    onCall: (call) => (output: JsonValue) => {
      if (output?.__type === undefined) options.onTableCall?.(call)
    },
  })
  const admitted: AdmittedRole[] = []
  const secrets = await startSecretsManager((request, name, { SecretId }) => {
    const action = `secretsmanager:${name}`
    const functionId = signerOf(request)
    const role = roleArnOf(template, functionId, facts)
    const isAdmitted = admitted.some(
      (one) => one.secretArn === SecretId && one.roleArn === role && one.actions.includes(action),
    )
    const isAllowed =
      isAdmitted ||
      (may({ functionId, action, resource: SecretId }) &&
        mayUseKey(functionId, 'secretsmanager', ['Decrypt']))
    return isAllowed ? undefined : accessDenied(action)
  })
  for (const [id] of resourcesOf(template, 'AWS::SecretsManager::Secret'))
    secrets.create(facts[id] ?? '', options.secret)
  const kms = await startKms((request, operation, { KeyId, EncryptionContext = {}, SigningAlgorithm }) => {
    const context = Object.entries(EncryptionContext).map(([name, value]) => [
      `kms:EncryptionContext:${name}`,
      String(value),
    ])
    const conditions = {
      ...Object.fromEntries(context),
      ...(SigningAlgorithm ? { 'kms:SigningAlgorithm': SigningAlgorithm } : {}),
    }
    return may({
      functionId: signerOf(request),
      action: `kms:${operation}`,
      resource: KeyId,
      conditions,
    })
  }, options.keyMaterial)
  const ses = await startSes(({ functionId, identity, configurationSet, fromAddress }) => {
    const conditions = { 'ses:FromAddress': fromAddress }
    return [`identity/${identity}`, `configuration-set/${configurationSet}`].every((name) => {
      const resource = `arn:aws:ses:${region}:${account}:${name}`
      return may({ functionId, action: 'ses:SendEmail', resource, conditions })
    })
  }, options.mailUrl)
  const eventBridge = await startEventBridge((request, busName) =>
    may({
      functionId: signerOf(request),
      action: 'events:PutEvents',
      resource: facts[`${busName}.Arn`] ?? '',
    }),
  )
  const s3 = await startS3(({ bucket, name, signer }) =>
    may({ functionId: signer, action: 's3:PutObject', resource: `${facts[`${bucket}.Arn`] ?? ''}/${name}` }),
  )
  const lambda = await startLambda((functionId, arn) =>
    may({ functionId, action: 'lambda:InvokeFunction', resource: arn }),
  )
  return {
    table,
    throttleNext: strict.throttleNext,
    loseAnswers: losses.loseAnswers,
    /** Refuses all calls that match, until the next call of this function. */
    failTable: (matches: (call: TableCall) => boolean) => {
      isFailing = matches
    },
    kms,
    ses,
    eventBridge,
    s3,
    lambda,
    secrets: {
      ...secrets,
      /** Lets a role use a secret, as the resource policy of the secret says. */
      admit: (role: AdmittedRole) => admitted.push(role),
    },
    /** The environment variables that lead the SDK to the replacements. */
    environment: {
      DYNAMODB_ENDPOINT: table.url,
      TABLE_TIMEOUT_MS: String(patientTimeoutMs),
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      AWS_ENDPOINT_URL_KMS: kms.url,
      AWS_ENDPOINT_URL_SES: ses.url,
      AWS_ENDPOINT_URL_EVENTBRIDGE: eventBridge.url,
      AWS_ENDPOINT_URL_S3: s3.url,
      AWS_ENDPOINT_URL_LAMBDA: lambda.url,
    },
    close: async () => {
      await Promise.all([table, secrets, kms, ses, eventBridge, s3, lambda].map(({ close }) => close()))
    },
  }
}

export type AwsServices = Awaited<ReturnType<typeof startAwsServices>>
