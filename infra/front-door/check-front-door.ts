import { Token } from 'aws-cdk-lib'
import { isInvalid, readCertificateRegion } from '../settings/check-domain.ts'
import { type FrontDoorProps, frontDoorRegion } from './front-door-props.ts'
import type { FrontDoorSettings } from './front-door-stacks.ts'

/** The settings about the front door, apart from `frontDoor`. */
interface FrontDoorParts extends Omit<FrontDoorSettings, 'certificateArn'> {
  readonly frontDoorCertificateArn?: string
}

const webAclForm = new RegExp(
  `^arn:aws[a-z-]*:wafv2:${frontDoorRegion}:\\d{12}:global/webacl/[\\w-]+/[\\w-]+$`,
)

/** Lists what is wrong with the values of the front door. Values that are only known during the deployment are not checked. */
export const findFrontDoorProblems = (
  { certificateArn, webAclArn, originSecretVersion }: Partial<FrontDoorProps>,
  hasDomain: boolean,
): readonly string[] => {
  const problems: string[] = []
  if (!hasDomain) problems.push('frontDoor requires domainName.')
  if (certificateArn !== undefined && !Token.isUnresolved(certificateArn)) {
    const region = readCertificateRegion(certificateArn)
    if (region !== frontDoorRegion)
      problems.push(
        region === undefined
          ? `frontDoorCertificateArn "${certificateArn}" must be the ARN of an ACM certificate in ${frontDoorRegion}.`
          : `frontDoorCertificateArn names a certificate in ${region}, but CloudFront requires one in ${frontDoorRegion}.`,
      )
  }
  if (webAclArn !== undefined && isInvalid(webAclArn, (text) => webAclForm.test(text)))
    problems.push(
      `webAclArn "${webAclArn}" must be the ARN of a web ACL in ${frontDoorRegion} with the scope CLOUDFRONT, such as arn:aws:wafv2:${frontDoorRegion}:111122223333:global/webacl/example/1.`,
    )
  if (
    originSecretVersion !== undefined &&
    !Token.isUnresolved(originSecretVersion) &&
    !(Number.isInteger(originSecretVersion) && originSecretVersion >= 1)
  )
    problems.push('originSecretVersion must be a whole number from 1.')
  return problems
}

interface FrontDoorContext {
  readonly isOn: boolean
  readonly region: string | undefined
  readonly hasDomainName: boolean
  readonly hasHostedZone: boolean
}

/** Lists which settings of the front door do not belong together. */
export const findFrontDoorConflicts = (
  parts: FrontDoorParts,
  { isOn, region, hasDomainName, hasHostedZone }: FrontDoorContext,
): readonly string[] => {
  const given = Object.keys(parts)
  if (!isOn) return given.map((name) => `${name} requires frontDoor.`)
  const problems: string[] = []
  // Otherwise, the checks of the props report it.
  if (!hasDomainName) problems.push('frontDoor requires domainName.')
  if (region === undefined)
    problems.push(
      `frontDoor requires region, the region of the stack, because its parts in ${frontDoorRegion} refer to it.`,
    )
  if (parts.frontDoorCertificateArn === undefined && !hasHostedZone)
    problems.push('frontDoor requires frontDoorCertificateArn, or hostedZoneId and hostedZoneName.')
  if (parts.webAclArn !== undefined && parts.requestsPerAddress !== undefined)
    problems.push('requestsPerAddress has no effect on a webAclArn of yours. Remove one of them.')
  return problems
}
