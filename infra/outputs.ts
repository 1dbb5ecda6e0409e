import { CfnOutput } from 'aws-cdk-lib'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import type { Key } from 'aws-cdk-lib/aws-kms'
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'

interface Described {
  readonly url: string
  readonly table: Table
  readonly adminPassword: Secret
  readonly vaultKey: Key
  readonly auditKey: Key
}

/** Adds the outputs of the stack that people need after a deployment. */
export const addOutputs = (scope: Construct, service: Described, domainTarget: string | undefined): void => {
  const output = (id: string, description: string, value: string) =>
    new CfnOutput(scope, id, { description, value })
  output('Url', 'URL of the service', service.url)
  output('TableName', 'Table name, for the option --table of the user import', service.table.tableName)
  output(
    'AdminPasswordSecret',
    'Secret with the initial password of the user admin',
    service.adminPassword.secretArn,
  )
  output(
    'AdminPasswordCommand',
    'Command that prints the initial password of the user admin',
    `aws secretsmanager get-secret-value --secret-id ${service.adminPassword.secretArn} --query SecretString --output text`,
  )
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
  if (domainTarget) output('DomainTarget', 'Target for the DNS name of the service', domainTarget)
}
