import { CustomResource, Duration, type RemovalPolicy } from 'aws-cdk-lib'
import { type EventBus, Schedule } from 'aws-cdk-lib/aws-events'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { jobEvent } from '../../lib/kernel/contract/job-event.ts'
import { createFunction, type FunctionProps } from './functions.ts'
import { useThroughSecretsManager } from './keys.ts'
import { acknowledge } from './newer-cdk.ts'
import { runByRules } from './scheduled-run.ts'

interface FirstAdminProps extends Omit<FunctionProps, 'statements' | 'timeout'> {
  readonly key: IKey
  readonly removalPolicy: RemovalPolicy
  /** Where an invitation is sent instead of a password. Only for a stack that sends email. */
  readonly adminEmail: string | undefined
}

/**
 * Creates the user `admin` when the stack is first deployed. Returns the secret with the initial password, unless they are invited, and
 * the function, which also refuses a deployment whose vault key is not the one of the table.
 */
export const createFirstAdmin = (
  scope: Construct,
  { adminEmail, ...props }: FirstAdminProps,
): { readonly secret: Secret | undefined; readonly setUp: IFunction } => {
  const secret = adminEmail ? undefined : createPassword(scope, props)
  const setUp = createFunction(scope, 'first-admin', {
    ...props,
    environment: {
      ...props.environment,
      ...(adminEmail ? { ADMIN_EMAIL: adminEmail } : {}),
      ...(secret ? { ADMIN_PASSWORD_SECRET: secret.secretArn } : {}),
    },
    timeout: Duration.minutes(1),
    statements: secret
      ? [
          new PolicyStatement({
            actions: ['secretsmanager:GetSecretValue'],
            resources: [secret.secretArn],
          }),
          useThroughSecretsManager(props.key),
        ]
      : [],
  })
  new CustomResource(scope, 'FirstAdmin', {
    resourceType: 'Custom::LatchkeyFirstAdmin',
    serviceToken: setUp.functionArn,
    // By default, CloudFormation waits an hour for a missing response.
    serviceTimeout: Duration.minutes(5),
    // CloudFormation calls the function again when one of these changes. Another address must not invite a second time.
    properties: {
      Secret: secret?.secretArn,
      Table: props.table.tableName,
      VaultKey: props.vaultKey.keyArn,
      OtherVaultKey: props.otherVaultKey?.keyArn,
    },
  })
  return { secret, setUp }
}

const createPassword = (scope: Construct, props: Pick<FirstAdminProps, 'key' | 'removalPolicy'>): Secret => {
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
  return secret
}

/** Lets the function that signs ask for missing keys. It may not create them. */
export const askForSigningKeys = (props: FunctionProps, jobBus: EventBus): FunctionProps => ({
  ...props,
  environment: { ...props.environment, JOB_BUS_NAME: jobBus.eventBusName },
  statements: [new PolicyStatement({ actions: ['events:PutEvents'], resources: [jobBus.eventBusArn] })],
})

/**
 * Creates the function that rotates the keys of JWTs once a day. The deployment runs it as well, so that a new service can
 * sign at once. A function without a key to sign with starts it on the bus. A failed rotation can wait for the next day: the next key is
 * published a month before it signs.
 */
export const createSigningKeys = (
  scope: Construct,
  { jobBus, ...props }: Omit<FunctionProps, 'statements' | 'timeout'> & { readonly jobBus: EventBus },
): LambdaFunction => {
  // Generating RSA keys can take seconds with the processor share of the function.
  const target = createFunction(scope, 'signing-keys', { ...props, timeout: Duration.minutes(1) })
  runByRules(scope, 'SigningKeys', {
    target,
    every: 'day',
    rules: [
      {
        id: 'SigningKeys',
        description: 'Latchkey: rotates the keys that sign JWTs',
        schedule: Schedule.cron({ hour: '2', minute: '43' }),
      },
      {
        id: 'MissingSigningKeys',
        description: 'Latchkey: creates keys that sign JWTs if there is none',
        eventBus: jobBus,
        eventPattern: { source: [jobEvent.source], detailType: [jobEvent.missingSigningKeys] },
      },
    ],
  })
  new CustomResource(scope, 'FirstSigningKey', {
    resourceType: 'Custom::LatchkeySigningKey',
    serviceToken: target.functionArn,
    // By default, CloudFormation waits an hour for a missing response.
    serviceTimeout: Duration.minutes(5),
  })
  return target
}
