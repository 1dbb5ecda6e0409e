import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import type { ResourceOutcome } from '../../lib/util/respond-to-cloudformation.ts'

export const originSecretResource = 'Custom::LatchkeyOriginSecretVersion'

/**
 * Refuses to raise the version of the secret between CloudFront and the service by more than 1. A rollback lowers it again, which must
 * succeed.
 */
export const checkOriginSecretVersion = (event: CloudFormationCustomResourceEvent): ResourceOutcome => {
  if (event.RequestType !== 'Update')
    return { Status: 'SUCCESS', Reason: 'There is nothing to compare with.' }
  // CloudFormation turns numbers into texts.
  const [earlier, later] = [event.OldResourceProperties, event.ResourceProperties].map((properties) =>
    Number(properties?.['Version']),
  )
  if (Number.isSafeInteger(earlier) && Number.isSafeInteger(later) && Number(later) <= Number(earlier) + 1)
    return { Status: 'SUCCESS', Reason: 'The functions accept the earlier secret as well.' }
  return {
    Status: 'FAILED',
    Reason: `originSecretVersion must be raised by 1, from ${earlier} to ${Number(earlier) + 1}. The functions would refuse the secret that CloudFront still sends.`,
  }
}
