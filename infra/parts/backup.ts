import { ArnFormat, CfnOutput, Duration, type RemovalPolicy, Stack, Stage, Token } from 'aws-cdk-lib'
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupVault,
  BackupVaultEvents,
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
  const stack = Stack.of(scope)
  const other = stackInRegion(scope, region, 'BackupVault', 'vault for copies of backups')
  const key = new Key(other, 'Key', {
    description: 'Latchkey: copies of backups, and the table that is restored from one',
    enableKeyRotation: true,
    removalPolicy,
  })
  // With a name that is known before the deployment, no stack refers to the other one.
  const backupVaultName = `${topStackOf(scope).stackName.slice(0, 38)}-${scope.node.addr.slice(-8)}`
  new BackupVault(other, 'Vault', { backupVaultName, encryptionKey: key, removalPolicy })
  const role = new Role(other, 'RestoreRole', {
    description: 'Latchkey: restores the table from a copy',
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
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
  output('VaultName', 'Vault with the copies of backups', backupVaultName)
  output('TableKeyArn', 'Key for the restored table', key.keyArn)
  output('RestoreRoleArn', 'Role that restores the table', role.roleArn)
  topStackOf(scope).addStackDependency(other)
  const arn = stack.formatArn({
    service: 'backup',
    region,
    resource: 'backup-vault',
    resourceName: backupVaultName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })
  return BackupVault.fromBackupVaultArn(scope, 'CopyVault', arn)
}

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
    encryptionKey: key,
    removalPolicy,
    // Nothing else shows that the copies are missing, until they are needed. The topic lets AWS Backup use its key.
    ...(copyVault && topic
      ? { notificationTopic: topic, notificationEvents: [BackupVaultEvents.COPY_JOB_FAILED] }
      : {}),
  })
  const plan = new BackupPlan(scope, 'Backup', {
    backupVault,
    backupPlanRules: [daily(copyVault), BackupPlanRule.monthly1Year()],
  })
  const role = new Role(scope, 'BackupRole', {
    description: 'Latchkey: backs the table up',
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
  })
  plan.addSelection('Table', { resources: [BackupResource.fromDynamoDbTable(table)], role })
  acknowledge(role, {
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    reason: 'AWS Backup documents this policy for its role, and extends it when its needs change.',
  })
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
