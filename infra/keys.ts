import { type RemovalPolicy, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type IKey, Key } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'

/** The key of everything that rests: the table with its stream and backups, and the first admin's password. */
export const createKey = (scope: Construct, removalPolicy: RemovalPolicy): Key =>
  new Key(scope, 'Key', {
    description: 'Latchkey: the table and the secret of the authentication service',
    enableKeyRotation: true,
    removalPolicy,
  })

/** The key of what functions encrypt themselves, so that not even whoever reads the table can read it. */
export const createVaultKey = (scope: Construct, removalPolicy: RemovalPolicy): Key =>
  new Key(scope, 'VaultKey', {
    description: 'Latchkey: what is encrypted inside the table, such as the keys of second factors',
    enableKeyRotation: true,
    removalPolicy,
  })

/** Lets a function use the key of the vault for one purpose, which every encryption names in its context. */
export const useForPurpose = (key: IKey, actions: readonly string[], purpose: string): PolicyStatement =>
  new PolicyStatement({
    actions: actions.map((action) => `kms:${action}`),
    resources: [key.keyArn],
    conditions: { StringEquals: { 'kms:EncryptionContext:purpose': purpose } },
  })

const throughService = (key: IKey, service: string, actions: string[]): PolicyStatement => {
  const { region, urlSuffix } = Stack.of(key)
  return new PolicyStatement({
    actions,
    resources: [key.keyArn],
    conditions: { StringEquals: { 'kms:ViaService': `${service}.${region}.${urlSuffix}` } },
  })
}

/**
 * Lets DynamoDB use the key in the name of a function that reads or writes the table; the function itself can't
 * encrypt or decrypt anything with it.
 */
export const useThroughDynamodb = (key: IKey): PolicyStatement =>
  throughService(key, 'dynamodb', [
    'kms:Decrypt',
    'kms:DescribeKey',
    'kms:Encrypt',
    'kms:GenerateDataKey',
    'kms:GenerateDataKeyWithoutPlaintext',
    'kms:ReEncryptFrom',
    'kms:ReEncryptTo',
  ])

/** The same for reading a secret. */
export const useThroughSecretsManager = (key: IKey): PolicyStatement =>
  throughService(key, 'secretsmanager', ['kms:Decrypt'])

/** The same for putting messages on a queue. */
export const useThroughSqs = (key: IKey): PolicyStatement =>
  throughService(key, 'sqs', ['kms:Decrypt', 'kms:GenerateDataKey'])
