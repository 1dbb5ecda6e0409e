import { join } from 'node:path'
import { Duration, RemovalPolicy, Stage, Validations } from 'aws-cdk-lib'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { Group } from '../lib/contract/operation.ts'
import { tableDefinition } from '../lib/store/engine/definition.ts'
import { partitions } from '../lib/store/engine/partitions.ts'
import { bundleFunctionsNow } from './bundle.ts'
import { useForPurpose, useThroughDynamodb } from './keys.ts'
import type { ServiceTable } from './table.ts'

/** A folder under `functions/`: groups of operations, background jobs, setup, and the rest (`unmatched`). */
export type FunctionName =
  | Group
  | 'unmatched'
  | 'first-admin'
  | 'mailer'
  | 'mail-events'
  | 'saml-refresh'
  | 'audit-chain'
  | 'audit-forward'

type ItemAction =
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem'

export interface Grant {
  /** Actions on the items of the table. A transaction needs the action of each of its steps. */
  readonly table: readonly ItemAction[]
  /** Patterns of the partition keys that `table` is limited to. Without them, the grant is for all items. */
  readonly partitions?: readonly string[]
  /** Actions on the listing index. */
  readonly index?: readonly 'Query'[]
  /** Actions with the vault key, limited to the purpose in the encryption context. */
  readonly vault?: {
    readonly purpose: 'totp' | 'access_token' | 'saml'
    readonly actions: readonly ('Decrypt' | 'Encrypt')[]
  }
}

/**
 * Authentication reads session, user and groups in batches, and updates when they were last seen. It gets the owner of a
 * chosen API token, the impersonated user, and an item again after a lost answer.
 */
const authentication = ['BatchGetItem', 'GetItem', 'UpdateItem'] as const

/** Users and groups with their dependent records. */
const directory = ['DeleteItem', 'PutItem', 'Query'] as const

/** Checking a second factor. */
const secondFactor = { purpose: 'totp', actions: ['Decrypt'] } as const

/** Everything that each function may do with the table and the vault. Nothing else in the stack grants access. */
export const grants: Readonly<Record<FunctionName, Grant>> = {
  tickets: { table: [...authentication, 'ConditionCheckItem', 'PutItem'] },
  sessions: {
    table: [...authentication, 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'Query'],
    vault: secondFactor,
  },
  passwords: { table: [...authentication, 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'Query'] },
  impersonation: { table: [...authentication, 'ConditionCheckItem', 'DeleteItem', 'PutItem'] },
  'access-tokens': {
    table: [...authentication, 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'Query'],
    index: ['Query'],
    vault: { purpose: 'access_token', actions: ['Decrypt', 'Encrypt'] },
  },
  'api-tokens': {
    table: [...authentication, 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'Query'],
  },
  leaks: { table: [...authentication, 'DeleteItem', 'PutItem', 'Query'], index: ['Query'] },
  passkeys: {
    table: [...authentication, 'DeleteItem', 'PutItem', 'Query'],
  },
  'saml-providers': {
    table: [...authentication, 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'Query'],
    index: ['Query'],
    // This function stores private keys but never reads them.
    vault: { purpose: 'saml', actions: ['Encrypt'] },
  },
  'saml-flow': {
    table: [...authentication, ...directory, 'ConditionCheckItem'],
    vault: { purpose: 'saml', actions: ['Decrypt'] },
  },
  'saml-refresh': { table: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'], index: ['Query'] },
  users: {
    table: [...authentication, ...directory, 'ConditionCheckItem'],
    index: ['Query'],
    vault: { ...secondFactor, actions: ['Decrypt', 'Encrypt'] },
  },
  groups: { table: [...authentication, ...directory, 'ConditionCheckItem'], index: ['Query'] },
  'user-templates': { table: [...authentication, 'DeleteItem', 'PutItem'], index: ['Query'] },
  audit: { table: [...authentication, 'PutItem', 'Query'], index: ['Query'] },
  pages: { table: [] },
  unmatched: { table: [] },
  mailer: { table: ['ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'] },
  'mail-events': { table: ['GetItem', 'PutItem'] },
  'first-admin': { table: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'] },
  'audit-chain': { table: ['GetItem', 'PutItem', 'Query'] },
  'audit-forward': { table: ['BatchGetItem'], partitions: [`${partitions.audit}*`] },
}

/** These functions hash passwords, which needs a full processor. Lambda provides one from 1,769 MB on. */
const hashesPasswords: readonly FunctionName[] = [
  'sessions',
  'passwords',
  'users',
  'access-tokens',
  'first-admin',
]

export interface FunctionProps {
  readonly table: ServiceTable
  readonly vaultKey: IKey
  /** Decrypts what was not yet encrypted with `vaultKey`, or is already encrypted with the next one. */
  readonly otherVaultKey?: IKey | undefined
  readonly environment: Readonly<Record<string, string>>
  readonly logRetention: RetentionDays
  readonly timeout?: Duration
  /** The folder of finished bundles; the functions are bundled during synthesis if omitted. */
  readonly bundleDir?: string | undefined
  /** Whether AWS X-Ray records the requests of the function. */
  readonly tracing?: boolean
  /** Concurrent executions that each function that hashes passwords reserves, and never exceeds. */
  readonly hashingConcurrency?: number | undefined
  /** Permissions in addition to `grants`. */
  readonly statements?: readonly PolicyStatement[]
}

/** Creates the Lambda function of a folder under `functions/` with its own role and log group. */
export const createFunction = (
  scope: Construct,
  name: FunctionName,
  props: FunctionProps,
): LambdaFunction => {
  const id = pascalCase(name)
  const description = `Latchkey: ${name}`
  const logGroup = new LogGroup(scope, `${id}Log`, {
    retention: props.logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const writeLog = new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  })
  const { vault } = grants[name]
  const otherVaultKey = vault?.actions.includes('Decrypt') ? props.otherVaultKey : undefined
  const statements = [
    writeLog,
    ...tableStatements(props.table, grants[name]),
    ...(vault ? [useForPurpose(props.vaultKey, vault.actions, vault.purpose)] : []),
    ...(vault && otherVaultKey ? [useForPurpose(otherVaultKey, ['Decrypt'], vault.purpose)] : []),
    ...(props.statements ?? []),
  ]
  const role = new Role(scope, `${id}Role`, {
    description,
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Function: new PolicyDocument({ statements }) },
  })
  if (props.tracing)
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'The actions of AWS X-Ray cannot be limited to a resource.',
    })
  return new LambdaFunction(scope, `${id}Function`, {
    description,
    role,
    logGroup,
    code: Code.fromAsset(join(props.bundleDir ?? bundleOnce(scope), name)),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: hashesPasswords.includes(name) ? 1769 : 512,
    ...(props.tracing ? { tracing: Tracing.ACTIVE } : {}),
    ...(props.hashingConcurrency && hashesPasswords.includes(name) && name !== 'first-admin'
      ? { reservedConcurrentExecutions: props.hashingConcurrency }
      : {}),
    timeout: props.timeout ?? Duration.seconds(15),
    environment: {
      ...props.environment,
      ...(vault ? { KMS_KEY_ID: props.vaultKey.keyArn } : {}),
      ...(otherVaultKey ? { KMS_OTHER_KEY_ID: otherVaultKey.keyArn } : {}),
    },
  })
}

const tableStatements = (
  table: ServiceTable,
  { table: onTable, partitions, index = [] }: Grant,
): PolicyStatement[] => {
  const inPartitions = partitions && { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } }
  const statements = [
    { actions: onTable, resource: table.tableArn, conditions: inPartitions },
    { actions: index, resource: `${table.tableArn}/index/${tableDefinition.listing.indexName}` },
  ]
    .filter(({ actions }) => actions.length > 0)
    .map(
      ({ actions, resource, conditions }) =>
        new PolicyStatement({
          actions: actions.map((action) => `dynamodb:${action}`),
          resources: [resource],
          ...(conditions ? { conditions } : {}),
        }),
    )
  return statements.length > 0 && table.encryptionKey
    ? [...statements, useThroughDynamodb(table.encryptionKey)]
    : statements
}

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())

const bundled = new Set<string>()

/** Bundles all functions once for each output folder of a synthesis, and returns the folder of the bundles. */
const bundleOnce = (scope: Construct): string => {
  const outDir = join(Stage.of(scope)?.assetOutdir ?? '', 'functions')
  if (!bundled.has(outDir)) bundleFunctionsNow(outDir)
  bundled.add(outDir)
  return outDir
}
