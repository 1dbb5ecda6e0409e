import { Token } from 'aws-cdk-lib'
import type { DomainProps, FrontDoorProps } from '../../lib/kernel/settings/object-settings.ts'
import { isInvalid, readCertificateRegion } from '../settings/check-domain.ts'
import { frontDoorRegion } from './front-door-names.ts'

const webAclForm = new RegExp(
  `^arn:aws[a-z-]*:wafv2:${frontDoorRegion}:\\d{12}:global/webacl/[\\w-]+/[\\w-]+$`,
)

/** Lists what is wrong with the front door. Values that are only known during the deployment are not checked. */
export const findFrontDoorProblems = (
  { certificateArn, webAclArn, requestsPerAddress, alarmTopicArn }: FrontDoorProps,
  domain: Partial<DomainProps> | undefined,
): readonly string[] => {
  const problems: string[] = []
  if (domain === undefined) problems.push('frontDoor requires domain.')
  else if (certificateArn === undefined && domain.hostedZone === undefined)
    problems.push('frontDoor requires frontDoor.certificateArn or domain.hostedZone.')
  if (certificateArn !== undefined && !Token.isUnresolved(certificateArn)) {
    const region = readCertificateRegion(certificateArn)
    if (region !== frontDoorRegion)
      problems.push(
        region === undefined
          ? `frontDoor.certificateArn "${certificateArn}" must be the ARN of an ACM certificate in ${frontDoorRegion}.`
          : `frontDoor.certificateArn names a certificate in ${region}, but CloudFront requires one in ${frontDoorRegion}.`,
      )
  }
  if (webAclArn !== undefined && isInvalid(webAclArn, (text) => webAclForm.test(text)))
    problems.push(
      `frontDoor.webAclArn "${webAclArn}" must be the ARN of a web ACL in ${frontDoorRegion} with the scope CLOUDFRONT, such as arn:aws:wafv2:${frontDoorRegion}:111122223333:global/webacl/example/1.`,
    )
  if (webAclArn !== undefined && requestsPerAddress !== undefined)
    problems.push(
      'frontDoor.requestsPerAddress has no effect on the web ACL of frontDoor.webAclArn. Remove one of them.',
    )
  if (alarmTopicArn !== undefined && isInvalid(alarmTopicArn, isTopicOfFrontDoor))
    problems.push(`frontDoor.alarmTopicArn must be a topic in ${frontDoorRegion}, where its alarms are.`)
  return problems
}

/** Whether alarms in the region of the front door can notify the topic. */
export const isTopicOfFrontDoor = (arn: string): boolean => arn.split(':')[3] === frontDoorRegion
