import { CfnOutput } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import type { EventBus } from 'aws-cdk-lib/aws-events'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import type { AuthProduct } from '../configuration/auth-product.ts'
import type { ConfigFunction, ServiceConfig } from './config.ts'
import { logGroupsOf, pascalCase } from './functions.ts'
import type { ServiceTable } from './table.ts'

interface Described {
  readonly url: string
  readonly jwksUrl: string
  readonly authorizerArn: string
  readonly configFunctionArn: string
  readonly configRoleArn: string
  readonly httpApi: HttpApi
  readonly table: ServiceTable
  readonly auditBus: EventBus
  readonly vaultKey: IKey
  readonly auditKey: IKey
}

interface OutputOptions {
  /** Where files are sent. */
  readonly config: ServiceConfig
  readonly productConfig: ConfigFunction
  /** The initial password of the user `admin`, unless they are invited by email. */
  readonly adminPassword: Secret | undefined
  /** The name that API Gateway gave the domain. */
  readonly domainTarget: string | undefined
  /** An adopted table has its administrators, who do not have the generated password. */
  readonly isTableAdopted: boolean
  readonly alarmEmail: string | undefined
  /** The log of the function that signs checkpoints. */
  readonly checkpointLog: string
  /** The bucket with what they signed. */
  readonly archive: string | undefined
  /** The function that an operator invokes to withdraw a signing key. */
  readonly signingKeys: IFunction
}

/** Adds the outputs of the stack that people need after a deployment. */
export const addOutputs = (
  scope: Construct,
  service: Described,
  {
    config,
    productConfig,
    adminPassword,
    domainTarget,
    isTableAdopted,
    signingKeys,
    alarmEmail,
    checkpointLog,
    archive,
  }: OutputOptions,
): void => {
  const output = (id: string, description: string, value: string) =>
    new CfnOutput(scope, id, { description, value })
  output('Url', 'URL of the service', service.url)
  output('JwksUrl', 'Public keys that verify JWTs', service.jwksUrl)
  output('AuthorizerArn', 'Function that authorizes requests to your own APIs', service.authorizerArn)
  output('ConfigFunctionArn', 'Function for constructs in the stacks of products', service.configFunctionArn)
  output('ConfigRoleArn', 'Role that fills secrets in the stacks of products', service.configRoleArn)
  for (const { kind, value, limit } of config.addresses)
    limit(output(`Config${kind}`, 'For the option --function of latchkey config', value))
  output('ProductConfigRoleArn', 'Role that fills secrets in the stacks of products', productConfig.roleArn)
  output('ApiId', 'ID of the HTTP API', service.httpApi.apiId)
  output('AuditBusArn', 'Event bus with all audit events', service.auditBus.eventBusArn)
  output('TableName', 'Table name, for the option --table of the user import', service.table.tableName)
  if (!isTableAdopted && adminPassword) addPasswordOutputs(output, adminPassword)
  output(
    'VaultKeyArn',
    'Key that encrypts second factors, for the variable KMS_KEY_ID of the user import',
    service.vaultKey.keyArn,
  )
  output(
    'AuditKeyArn',
    'Key that signs audit checkpoints, for the variable AUDIT_KEY_ID of the audit verification',
    service.auditKey.keyArn,
  )
  output('SigningKeysFunctionName', 'Function that withdraws a key of JWTs', signingKeys.functionName)
  output(
    'LogGroups',
    'Beginning of the names of log groups, before the name of a function',
    logGroupsOf(scope),
  )
  output('CheckpointLog', 'Log of audit-chain, with a copy of each audit checkpoint', checkpointLog)
  if (archive) output('AuditArchiveName', 'Bucket with the signed audit events', archive)
  if (alarmEmail)
    output(
      'AlarmEmail',
      'Receives alarms after its owner has confirmed the subscription by email',
      alarmEmail,
    )
  if (domainTarget) output('DomainTarget', 'Target for the DNS name of the service', domainTarget)
}

const addPasswordOutputs = (
  output: (id: string, description: string, value: string) => void,
  { secretArn }: Secret,
): void => {
  output('AdminPasswordSecret', 'Secret with the initial password of the user admin', secretArn)
  output(
    'AdminPasswordCommand',
    'Command that prints the initial password of the user admin',
    `aws secretsmanager get-secret-value --secret-id ${secretArn} --query SecretString --output text`,
  )
}

/** Adds what the stacks and the pipeline of a product need. */
export const addProductOutputs = (
  scope: Construct,
  name: string,
  { configFunctionArn, configUrl }: Pick<AuthProduct, 'configFunctionArn' | 'configUrl'>,
): void => {
  const output = (id: string, description: string, value: string) =>
    new CfnOutput(scope, `${id}Of${pascalCase(name)}`, { description, value })
  output('ConfigFunctionArn', `Function for constructs in stacks of the product ${name}`, configFunctionArn)
  output(
    'ConfigUrl',
    `For the option --function of latchkey config, for files of the product ${name}`,
    configUrl,
  )
}
