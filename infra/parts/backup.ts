import type { RemovalPolicy } from 'aws-cdk-lib'
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'
import { acknowledge } from './newer-cdk.ts'
import type { ServiceTable } from './table.ts'

/**
 * Backs the table up with AWS Backup, in addition to its point-in-time recovery: each day for 35 days, and each month
 * for a year. The backups survive a deleted table.
 */
export const createBackup = (
  scope: Construct,
  table: ServiceTable,
  { key, removalPolicy }: { readonly key: IKey; readonly removalPolicy: RemovalPolicy },
): void => {
  const backupVault = new BackupVault(scope, 'BackupVault', { encryptionKey: key, removalPolicy })
  const plan = new BackupPlan(scope, 'Backup', {
    backupVault,
    backupPlanRules: [BackupPlanRule.daily(), BackupPlanRule.monthly1Year()],
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
