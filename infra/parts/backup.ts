import { Duration, type RemovalPolicy } from 'aws-cdk-lib'
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupVault,
  BackupVaultEvents,
  type IBackupVault,
} from 'aws-cdk-lib/aws-backup'
import { Schedule } from 'aws-cdk-lib/aws-events'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import { copyRetention } from './backup-region.ts'
import { acknowledge } from './newer-cdk.ts'
import type { ServiceTable } from './table.ts'

export interface BackupOptions {
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
