import { omitUndefined } from '../../lib/util/omit-undefined.ts'
import type { Settings } from '../settings/settings-schema.ts'
import { findFrontDoorConflicts, findFrontDoorProblems } from './check-front-door.ts'
import type { FrontDoorSettings } from './front-door-stacks.ts'

/** Reads the settings of the front door, and adds what is wrong with them to `problems`. Undefined if there is none. */
export const readFrontDoor = (
  { frontDoor: isOn = false, region, domainName, hostedZoneId, ...settings }: Settings,
  problems: string[],
): FrontDoorSettings | undefined => {
  const { webAclArn, requestsPerAddress, priceClass, originSecretVersion, allowDirectRequests } = settings
  const { frontDoorCertificateArn } = settings
  const parts = omitUndefined({
    webAclArn,
    requestsPerAddress,
    priceClass,
    originSecretVersion,
    allowDirectRequests,
  })
  const given = omitUndefined({ ...parts, frontDoorCertificateArn })
  const found = { isOn, region, hasDomainName: !!domainName, hasHostedZone: !!hostedZoneId }
  problems.push(...findFrontDoorConflicts(given, found))
  if (!isOn) return undefined
  const frontDoor = omitUndefined({ ...parts, certificateArn: frontDoorCertificateArn })
  problems.push(...findFrontDoorProblems(frontDoor, true))
  return frontDoor
}
