import type { RemovalPolicy } from 'aws-cdk-lib'
import { ArnPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { CfnResourcePolicy, CfnSecret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { acknowledge } from '../parts/newer-cdk.ts'
import type { ConfigurableService, ReadableSecret, ResourceSecret } from './resource-props.ts'

interface SecretOptions {
  readonly removalPolicy: RemovalPolicy
  readonly version: number | undefined
}

/** Creates an empty secret, which the function of the service fills: nothing else ever has its value before. */
export const createSecret = (
  scope: Construct,
  service: ConfigurableService,
  { removalPolicy, version }: SecretOptions,
): ResourceSecret => {
  const secret = new CfnSecret(scope, 'Secret', { description: `Latchkey: secret of ${scope.node.path}` })
  secret.applyRemovalPolicy(removalPolicy)
  acknowledge(secret, {
    id: 'AwsSolutions-SMG4',
    reason: 'A deployment with a higher secretVersion rotates it.',
  })
  const policy = new CfnResourcePolicy(scope, 'SecretPolicy', {
    secretId: secret.ref,
    resourcePolicy: new PolicyDocument({
      statements: [
        admit(service, ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage']),
      ],
    }),
    blockPublicPolicy: true,
  })
  return { secretArn: secret.ref, version: readVersion(version), policy }
}

/** Lets the function of the service read a secret that another one gave you. An imported secret needs a policy that you write. */
export const admitToSecret = (
  service: ConfigurableService,
  secret: ReadableSecret,
  version: number | undefined,
): ResourceSecret => {
  const statement = admit(service, ['GetSecretValue'])
  const { policyDependable } = secret.addToResourcePolicy(statement)
  secret.encryptionKey?.grantDecrypt(new ArnPrincipal(requireRole(service)))
  return { secretArn: secret.secretArn, version: readVersion(version), policy: policyDependable }
}

const admit = (service: ConfigurableService, actions: readonly string[]): PolicyStatement =>
  new PolicyStatement({
    principals: [new ArnPrincipal(requireRole(service))],
    actions: actions.map((action) => `secretsmanager:${action}`),
    resources: ['*'],
  })

/** @throws Error if the service does not name it */
const requireRole = ({ configRoleArn }: ConfigurableService): string => {
  if (configRoleArn === undefined)
    throw new Error(
      'An imported service needs configRoleArn for a construct with a secret: the output ConfigRoleArn of its stack.',
    )
  return configRoleArn
}

/** @throws Error if it is no version */
const readVersion = (version = 1): number => {
  if (!Number.isSafeInteger(version) || version < 1)
    throw new Error('secretVersion must be an integer from 1.')
  return version
}
