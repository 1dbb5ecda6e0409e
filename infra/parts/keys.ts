import { type RemovalPolicy, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'

/** Creates the key for data at rest: the table with its stream and backups, and the initial admin password. */
export const createKey = (scope: Construct, removalPolicy: RemovalPolicy): Key =>
  new Key(scope, 'Key', {
    description: 'Latchkey: table and secret of the authentication service',
    enableKeyRotation: true,
    removalPolicy,
  })

/**
 * Creates the key for values that functions encrypt themselves, so that reading the table does not reveal them. It can have a
 * replica in another region, which is decided when a key is created.
 */
export const createVaultKey = (scope: Construct, removalPolicy: RemovalPolicy): Key =>
  new Key(scope, 'VaultKey', {
    description: 'Latchkey: values encrypted inside the table, such as keys of second factors',
    enableKeyRotation: true,
    multiRegion: true,
    removalPolicy,
  })

/** Creates the key pair that signs checkpoints of the audit log. KMS does not rotate such keys. It can have a replica, too. */
export const createAuditKey = (scope: Construct, removalPolicy: RemovalPolicy): Key =>
  new Key(scope, 'AuditKey', {
    description: 'Latchkey: signs checkpoints of the audit log',
    keySpec: KeySpec.ECC_NIST_P256,
    keyUsage: KeyUsage.SIGN_VERIFY,
    multiRegion: true,
    removalPolicy,
  })

/** Uses a key that exists already. Its key policy must let IAM policies of the account grant its use. */
export const adoptKey = (scope: Construct, id: string, keyArn: string): IKey =>
  Key.fromKeyArn(scope, id, keyArn)

/** Allows a function to sign with a key, and to check earlier signatures. */
export const signWith = (key: IKey): readonly PolicyStatement[] => [
  new PolicyStatement({
    actions: ['kms:Sign'],
    resources: [key.keyArn],
    conditions: { StringEquals: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' } },
  }),
  new PolicyStatement({ actions: ['kms:GetPublicKey'], resources: [key.keyArn] }),
]

/** Allows a function to use the vault key for one purpose, which each encryption names in its context. */
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
 * Allows DynamoDB to use the key on behalf of a function that reads or writes the table. The function itself cannot
 * encrypt or decrypt with the key.
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

/** Allows Secrets Manager to use the key on behalf of a function that reads a secret. */
export const useThroughSecretsManager = (key: IKey): PolicyStatement =>
  throughService(key, 'secretsmanager', ['kms:Decrypt'])

/** Allows SQS to use the key on behalf of a role that sends messages to a queue. */
export const useThroughSqs = (key: IKey): PolicyStatement =>
  throughService(key, 'sqs', ['kms:Decrypt', 'kms:GenerateDataKey'])
