import { CustomResource, Duration, type RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { createFunction, type FunctionProps } from './functions.ts'
import { useThroughSecretsManager } from './keys.ts'
import { acknowledge } from './newer-cdk.ts'

export interface FirstAdminProps extends Omit<FunctionProps, 'statements' | 'timeout'> {
  readonly key: IKey
  readonly removalPolicy: RemovalPolicy
}

/**
 * Creates the user `admin` when the stack is first deployed. Returns the secret with the initial password, and the function, which
 * also refuses a deployment whose vault key is not the one of the table.
 */
export const createFirstAdmin = (
  scope: Construct,
  props: FirstAdminProps,
): { readonly secret: Secret; readonly setUp: IFunction } => {
  const secret = new Secret(scope, 'AdminPassword', {
    description: 'Latchkey: initial password of the user admin',
    encryptionKey: props.key,
    generateSecretString: { passwordLength: 32, excludePunctuation: true },
    removalPolicy: props.removalPolicy,
  })
  acknowledge(secret, {
    id: 'AwsSolutions-SMG4',
    reason:
      'This is an initial password. The administrator reads it once and changes it in the service; rotating the secret would not change the password.',
  })
  const setUp = createFunction(scope, 'first-admin', {
    ...props,
    environment: { ...props.environment, ADMIN_PASSWORD_SECRET: secret.secretArn },
    timeout: Duration.minutes(1),
    statements: [
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] }),
      useThroughSecretsManager(props.key),
    ],
  })
  new CustomResource(scope, 'FirstAdmin', {
    resourceType: 'Custom::LatchkeyFirstAdmin',
    serviceToken: setUp.functionArn,
    // By default, CloudFormation waits an hour for a missing response.
    serviceTimeout: Duration.minutes(5),
    // CloudFormation calls the function again when one of these changes.
    properties: {
      Secret: secret.secretArn,
      Table: props.table.tableName,
      VaultKey: props.vaultKey.keyArn,
      OtherVaultKey: props.otherVaultKey?.keyArn,
    },
  })
  return { secret, setUp }
}
