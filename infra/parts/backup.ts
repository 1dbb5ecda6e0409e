import { Aws, CfnOutput, Duration, Fn, type RemovalPolicy, Stack, Stage, Token } from 'aws-cdk-lib'
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupVault,
  BackupVaultEvents,
  CfnBackupVault,
  type IBackupVault,
} from 'aws-cdk-lib/aws-backup'
import { Schedule } from 'aws-cdk-lib/aws-events'
import {
  AccountRootPrincipal,
  ManagedPolicy,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam'
import { CfnReplicaKey, type IKey, Key } from 'aws-cdk-lib/aws-kms'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import { stackTag } from '../../lib/kernel/util/stack-tag.ts'
import { letServicePublish } from '../monitoring/create-alarm.ts'
import type { Adoption } from './adoption.ts'
import { acknowledge, referWeakly } from './newer-cdk.ts'
import type { ServiceTable } from './table.ts'

/** How long the copies in the other region are kept. After a failure of the region, the newest one counts. */
export const copyRetention = Duration.days(7)

/**
 * Creates the vault for copies of backups in another region, with what a restore needs there: a key and a role. Its stack is
 * deployed before that of the service, whose backup plan names the vault by its ARN.
 */
export const createCopyVault = (
  scope: Construct,
  region: string,
  removalPolicy: RemovalPolicy,
): IBackupVault => {
  const other = stackInRegion(scope, region, 'BackupVault', 'vault for copies of backups')
  const key = new Key(other, 'Key', {
    description: 'Latchkey: copies of backups, and the table that is restored from one',
    enableKeyRotation: true,
    removalPolicy,
  })
  const vault = new BackupVault(other, 'Vault', {
    backupVaultName: nameVault(scope),
    encryptionKey: key,
    removalPolicy,
  })
  referWeakly([vault])
  const role = new Role(other, 'RestoreRole', {
    description: 'Latchkey: restores the table from a copy',
    assumedBy: backupServiceFor(other),
    managedPolicies: [
      ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSBackupServiceRolePolicyForRestores'),
    ],
  })
  acknowledge(role, {
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForRestores]',
    reason: 'AWS Backup documents this policy for its role, and extends it when its needs change.',
  })
  const output = (id: string, description: string, value: string) =>
    new CfnOutput(other, id, { description, value })
  output('VaultName', 'Vault with the copies of backups', vault.backupVaultName)
  output('TableKeyArn', 'Key for the restored table', key.keyArn)
  output('RestoreRoleArn', 'Role that restores the table', role.roleArn)
  topStackOf(scope).addStackDependency(other)
  return vault
}

/**
 * Names a vault after the stack that has it. The vault remains when this stack is deleted, and AWS Backup refuses a name that exists. The
 * name that the CDK would generate is also the same for two stacks with the same construct path.
 */
const nameVault = (scope: Construct): string =>
  `Latchkey-${Fn.select(2, Fn.split('/', Aws.STACK_ID))}-${scope.node.addr.slice(-4)}`

const backupService = 'backup.amazonaws.com'

/** AWS Backup, while it works for the account of the stack. It works for other accounts, too. */
const backupServiceFor = (scope: Construct): ServicePrincipal =>
  new ServicePrincipal(backupService, {
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  })

/**
 * Creates replicas of multi-Region keys in another region, which decrypt and sign like the keys themselves, also while the region of
 * those is down. Their stack is deployed after that of the service.
 */
export const createReplicaKeys = (
  scope: Construct,
  region: string,
  keys: Readonly<Record<string, IKey>>,
  removalPolicy: RemovalPolicy,
): void => {
  if (Object.keys(keys).length === 0) return
  const other = stackInRegion(scope, region, 'BackupKeys', 'replicas of the keys')
  referWeakly(Object.values(keys))
  for (const [id, key] of Object.entries(keys)) {
    const replica = new CfnReplicaKey(other, id, {
      description: `Latchkey: replica of ${id} for a restore in this region`,
      primaryKeyArn: key.keyArn,
      // As the policies of the keys themselves: IAM policies of the account grant their use.
      keyPolicy: new PolicyDocument({
        statements: [
          new PolicyStatement({
            principals: [new AccountRootPrincipal()],
            actions: ['kms:*'],
            resources: ['*'],
          }),
        ],
      }),
    })
    replica.applyRemovalPolicy(removalPolicy)
    new CfnOutput(other, `${id}Arn`, {
      description: `For the setting ${id.charAt(0).toLowerCase()}${id.slice(1)}Arn of a service in this region`,
      value: replica.attrArn,
    })
  }
}

/** Lists what is wrong with the setting `backupRegion`, as a sentence each. `region` is that of the stack, if it is known. */
export const findBackupProblems = (
  { backup, backupRegion, vaultKeyArn, auditKeyArn }: BackupSettings,
  region: string | undefined,
): readonly string[] => {
  if (backupRegion === undefined || Token.isUnresolved(backupRegion)) return []
  const problems: string[] = []
  if (!backup) problems.push('backupRegion requires backup.')
  if (backupRegion === region)
    problems.push(`backupRegion must be another region than that of the stack, ${region}.`)
  for (const [name, arn] of Object.entries({ vaultKeyArn, auditKeyArn }))
    if (arn !== undefined && !Token.isUnresolved(arn) && !arn.includes(':key/mrk-'))
      problems.push(
        `backupRegion requires that ${name} is a multi-Region key, whose ID begins with mrk-. Otherwise, ${backupRegion} has no key for a restored table.`,
      )
  return problems
}

interface BackupSettings extends Pick<Adoption, 'vaultKeyArn' | 'auditKeyArn'> {
  readonly backup?: boolean
  readonly backupRegion?: string
}

/** The stack that is deployed: a nested one has the name and the dependencies of its parent. */
const topStackOf = (scope: Construct): Stack => {
  const stack = Stack.of(scope)
  return stack.nestedStackParent ? topStackOf(stack.nestedStackParent) : stack
}

const stackInRegion = (scope: Construct, region: string, suffix: string, content: string): Stack => {
  const { stackName, account, terminationProtection } = topStackOf(scope)
  return new Stack(Stage.of(scope), `${stackName}${suffix}`, {
    stackName: `${stackName}${suffix}`,
    description: `Latchkey: ${content} in a second region`,
    env: { region, ...(Token.isUnresolved(account) ? {} : { account }) },
    terminationProtection,
    tags: { [stackTag]: stackName },
  })
}

interface BackupOptions {
  readonly key: IKey
  readonly removalPolicy: RemovalPolicy
  /** In another region. */
  readonly copyVault: IBackupVault | undefined
  /** Reports copies that failed. */
  readonly topic: ITopic | undefined
}

/**
 * Backs the table up with AWS Backup, in addition to its point-in-time recovery: each day for 35 days, and each month
 * for a year. The backups survive a deleted table. Each daily one is copied to a vault in another region, if there is one.
 */
export const createBackup = (
  scope: Construct,
  table: ServiceTable,
  { key, removalPolicy, copyVault, topic }: BackupOptions,
): void => {
  const backupVault = new BackupVault(scope, 'BackupVault', {
    backupVaultName: nameVault(scope),
    encryptionKey: key,
    removalPolicy,
  })
  // Nothing else shows that the copies are missing, until they are needed.
  if (copyVault && topic) notifyOfFailedCopies(backupVault, topic)
  const plan = new BackupPlan(scope, 'Backup', {
    backupVault,
    backupPlanRules: [daily(copyVault), BackupPlanRule.monthly1Year()],
  })
  const role = new Role(scope, 'BackupRole', {
    description: 'Latchkey: backs the table up',
    assumedBy: backupServiceFor(scope),
  })
  plan.addSelection('Table', { resources: [BackupResource.fromDynamoDbTable(table)], role })
  acknowledge(role, {
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    reason: 'AWS Backup documents this policy for its role, and extends it when its needs change.',
  })
}

/** The option of the vault would let AWS Backup use the topic and its key for other accounts as well. */
const notifyOfFailedCopies = (vault: BackupVault, topic: ITopic): void => {
  letServicePublish(topic, backupService)
  const { defaultChild } = vault.node
  if (!(defaultChild instanceof CfnBackupVault)) throw new Error('The vault has no resource.')
  defaultChild.notifications = {
    backupVaultEvents: [BackupVaultEvents.COPY_JOB_FAILED],
    snsTopicArn: topic.topicArn,
  }
}

const daily = (copyVault: IBackupVault | undefined): BackupPlanRule =>
  new BackupPlanRule({
    ruleName: 'Daily',
    scheduleExpression: Schedule.cron({ hour: '5', minute: '0' }),
    deleteAfter: Duration.days(35),
    ...(copyVault
      ? { copyActions: [{ destinationBackupVault: copyVault, deleteAfter: copyRetention }] }
      : {}),
  })
