import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Aws, Duration, RemovalPolicy, Stack, Stage } from 'aws-cdk-lib'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { FunctionName } from '../../lib/kernel/contract/group.ts'
import { type Grant, keyPatternOf, listIndexGrants } from '../grants/grant-parts.ts'
import { grants } from '../grants/grants.ts'
import { useForPurpose, useThroughDynamodb } from './keys.ts'
import { acknowledge } from './newer-cdk.ts'
import type { ServiceTable } from './table.ts'

/** These functions hash passwords, or weak hashes of other systems, which needs a full processor. Lambda provides one from 1,769 MB on. */
const hashesPasswords: readonly FunctionName[] = [
  'sessions',
  'passwords',
  'access-links',
  'invitations',
  'user-files',
  'first-admin',
]

/** Strangers cannot make these hash anything, so their executions need no limit. */
const closedToStrangers: readonly FunctionName[] = ['first-admin', 'user-files']

/** The memory of a function in MB. Lambda gives each function processor time in proportion to its memory. */
export const getMemoryMb = (name: FunctionName): number =>
  hashesPasswords.includes(name) ? fullProcessorMb : 512

/** The memory with which a function has one full processor. */
export const fullProcessorMb = 1769

/** The folder of bundles in the published package, which contains neither the sources nor the bundler. */
const findFinishedBundles = (): string | undefined => {
  const folder = fileURLToPath(new URL('./bundles', import.meta.url))
  return existsSync(folder) ? folder : undefined
}

/** Bundles all functions in a child process and waits for it, because CDK constructs are synchronous. */
const bundleFunctionsNow = (outDir: string): void => {
  const program = fileURLToPath(new URL('../../build/bundle/bundle.ts', import.meta.url))
  execFileSync(process.execPath, [program, outDir], { stdio: ['ignore', 'ignore', 'inherit'] })
}

export interface FunctionProps {
  readonly table: ServiceTable
  readonly vaultKey: IKey
  /** Decrypts what was not yet encrypted with `vaultKey`, or is already encrypted with the next one. */
  readonly otherVaultKey?: IKey | undefined
  readonly environment: Readonly<Record<string, string>>
  readonly logRetention: RetentionDays
  /** Whether the log remains when the stack is deleted. CloudFormation then chooses its name, so that a later stack can create its own. */
  readonly keepsLog?: RemovalPolicy
  readonly timeout?: Duration
  /** The folder with a zip file for each function; the functions are bundled during synthesis if omitted. */
  readonly bundleDir?: string | undefined
  /** Whether the function may use all items of the table with its actions. */
  readonly wholeTableGrants?: boolean
  /** Whether AWS X-Ray records the requests of the function. */
  readonly tracing?: boolean
  /** Concurrent executions that each function that hashes passwords reserves, and never exceeds. */
  readonly hashingConcurrency?: number | undefined
  /** Permissions in addition to `grants`. */
  readonly statements?: readonly PolicyStatement[]
}

/** Creates a Lambda function with its own role and log group. */
export const createFunction = (
  scope: Construct,
  name: FunctionName,
  props: FunctionProps,
): LambdaFunction => {
  const id = pascalCase(name)
  const description = `Latchkey: ${name}`
  const logGroup = new LogGroup(scope, `${id}Log`, {
    ...(props.keepsLog ? {} : { logGroupName: `${logGroupsOf(scope)}/${name}` }),
    retention: props.logRetention,
    removalPolicy: props.keepsLog ?? RemovalPolicy.DESTROY,
  })
  const writeLog = new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  })
  const { vault } = grants[name]
  const otherVaultKey = vault?.Decrypt ? props.otherVaultKey : undefined
  const statements = [
    writeLog,
    ...tableStatements(props.table, grants[name], props.wholeTableGrants),
    ...listVaultUses(vault ?? {}).flatMap(({ purpose, actions }) => [
      useForPurpose(props.vaultKey, actions, purpose),
      ...(otherVaultKey && actions.includes('Decrypt')
        ? [useForPurpose(otherVaultKey, ['Decrypt'], purpose)]
        : []),
    ]),
    ...(props.statements ?? []),
  ]
  const role = new Role(scope, `${id}Role`, {
    description,
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Function: new PolicyDocument({ statements }) },
  })
  if (props.tracing)
    acknowledge(role, {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'The actions of AWS X-Ray cannot be limited to a resource.',
    })
  return new LambdaFunction(scope, `${id}Function`, {
    description,
    role,
    logGroup,
    code: Code.fromAsset(join(props.bundleDir ?? findFinishedBundles() ?? bundleOnce(scope), `${name}.zip`)),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: getMemoryMb(name),
    ...(props.tracing ? { tracing: Tracing.ACTIVE } : {}),
    ...(props.hashingConcurrency && hashesPasswords.includes(name) && !closedToStrangers.includes(name)
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

/** What a function does with the vault key, by purpose. */
export const listVaultUses = ({ Decrypt = [], Encrypt = [] }: NonNullable<Grant['vault']>) =>
  [...new Set([...Decrypt, ...Encrypt])].map((purpose) => ({
    purpose,
    actions: [
      ...(Decrypt.includes(purpose) ? (['Decrypt'] as const) : []),
      ...(Encrypt.includes(purpose) ? (['Encrypt'] as const) : []),
    ],
  }))

/**
 * One statement for each action on the table and for each index. `dynamodb:LeadingKeys` are the partition keys
 * that a call names. `ForAllValues` is also met by a call that names none, such as a scan, so `Null` excludes those.
 */
const tableStatements = (table: ServiceTable, grant: Grant, isWhole = false): PolicyStatement[] => {
  const statements = [
    ...Object.entries(grant.table).map(([action, keys]) => ({ action, keys, resource: table.tableArn })),
    ...listIndexGrants(grant).map(([name, keys]) => ({
      action: 'Query',
      keys,
      resource: `${table.tableArn}/index/${name}`,
    })),
  ].map(
    ({ action, keys, resource }) =>
      new PolicyStatement({
        actions: [`dynamodb:${action}`],
        resources: [resource],
        ...(isWhole
          ? {}
          : {
              conditions: {
                'ForAllValues:StringLike': {
                  'dynamodb:LeadingKeys': keys.map(keyPatternOf),
                },
                Null: { 'dynamodb:LeadingKeys': 'false' },
              },
            }),
      }),
  )
  return statements.length > 0 && table.encryptionKey
    ? [...statements, useThroughDynamodb(table.encryptionKey)]
    : statements
}

/** The beginning of the names of log groups: the stack and the path of the construct in it, so that no two are equal. */
export const logGroupsOf = (scope: Construct): string => {
  const path = scope.node.path.slice(Stack.of(scope).node.path.length + 1)
  return `/latchkey/${Aws.STACK_NAME}/${path.replaceAll(/[^\w./-]/g, '-')}`
}

export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())

const bundled = new Set<string>()

/** Bundles all functions once for each output folder of a synthesis, and returns the folder of the bundles. */
const bundleOnce = (scope: Construct): string => {
  const outDir = join(Stage.of(scope)?.assetOutdir ?? '', 'functions')
  if (!bundled.has(outDir)) bundleFunctionsNow(outDir)
  bundled.add(outDir)
  return outDir
}
