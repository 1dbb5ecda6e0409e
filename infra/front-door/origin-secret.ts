import { CustomResource, Duration, RemovalPolicy } from 'aws-cdk-lib'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import type { Construct } from 'constructs'
import { originSecretResource } from '../../lib/kernel/util/respond-to-cloudformation.ts'
import { acknowledge } from '../parts/newer-cdk.ts'

export interface OriginSecrets {
  /** The one that the front door sends, as a reference that CloudFormation resolves. */
  readonly current: string
  /** All that the functions accept, separated by commas, as the attribute of a parameter. */
  readonly accepted: string
}

/**
 * Creates the secret with which the front door proves its requests, and keeps the one before it. Each version is a
 * secret of its own, because CloudFormation reads a secret only when its reference changes.
 */
export const createOriginSecrets = (scope: Construct, key: IKey, version: number): OriginSecrets => {
  const [current = '', ...former] = [version, version - 1]
    .filter((number) => number >= 1)
    .map((number) => createSecret(scope, key, number).secretValue.unsafeUnwrap())
  // Each function has its value by an attribute: CloudFormation allows 60 references to secrets in a template.
  const accepted = new StringParameter(scope, 'AcceptedOriginSecrets', {
    description: 'Latchkey: secrets of the front door that the functions accept',
    stringValue: [current, ...former].join(','),
  })
  return { current, accepted: accepted.stringValue }
}

/**
 * Refuses a deployment that raises the version by more than 1. The functions would no longer accept the secret that CloudFront still
 * sends, and CloudFront is updated last. So the functions must depend on this check.
 */
export const checkOriginSecretVersion = (
  scope: Construct,
  version: number,
  setUp: IFunction,
): CustomResource =>
  new CustomResource(scope, 'OriginSecretVersion', {
    resourceType: originSecretResource,
    serviceToken: setUp.functionArn,
    // By default, CloudFormation waits an hour for a missing response.
    serviceTimeout: Duration.minutes(5),
    properties: { Version: version },
  })

const createSecret = (scope: Construct, key: IKey, version: number): Secret => {
  const secret = new Secret(scope, `OriginSecret${version}`, {
    description: `Latchkey: proves requests of the front door, version ${version}`,
    encryptionKey: key,
    generateSecretString: { passwordLength: 43, excludePunctuation: true },
    removalPolicy: RemovalPolicy.DESTROY,
  })
  acknowledge(secret, {
    id: 'AwsSolutions-SMG4',
    reason:
      'A deployment with a higher originSecretVersion rotates it, because CloudFront must change at the same time.',
  })
  return secret
}
