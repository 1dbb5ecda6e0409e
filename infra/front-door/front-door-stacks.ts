import { App, Stack } from 'aws-cdk-lib'
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront'
import { createCertificate, importZone } from '../parts/domain.ts'
import type { DomainProps } from '../settings/auth-service-props.ts'
import { addFrontDoorLog } from './front-door-log.ts'
import { type FrontDoorProps, frontDoorRegion } from './front-door-props.ts'
import { createWebAcl } from './web-acl.ts'

/** The front door of a stage. What it does not name is created. */
export interface FrontDoorSettings extends Omit<FrontDoorProps, 'certificateArn'> {
  readonly certificateArn?: string
  readonly requestsPerAddress?: number
}

/**
 * Creates the certificate and the web ACL that the front door needs in us-east-1. They are in the stack of the service
 * if it is there, else in a stack of their own.
 */
export const createFrontDoorParts = (
  stack: Stack,
  { name, hostedZone }: DomainProps,
  { requestsPerAddress, ...given }: FrontDoorSettings,
): FrontDoorProps => {
  if (given.certificateArn !== undefined && given.webAclArn !== undefined)
    return { ...given, certificateArn: given.certificateArn }
  const scope = stackInFrontDoorRegion(stack, 'FrontDoor')
  return {
    ...given,
    certificateArn:
      given.certificateArn ??
      createCertificate(scope, 'FrontDoorCertificate', name, hostedZone && importZone(scope, hostedZone))
        .certificateArn,
    webAclArn: given.webAclArn ?? createWebAcl(scope, requestsPerAddress).attrArn,
  }
}

/** Delivers the access log of the front door, which must be set up in us-east-1 after the distribution exists. */
export const createFrontDoorLog = (stack: Stack, distribution: Distribution): void => {
  addFrontDoorLog(stackInFrontDoorRegion(stack, 'FrontDoorLog'), distribution)
}

const stackInFrontDoorRegion = (stack: Stack, suffix: string): Stack => {
  if (stack.region === frontDoorRegion) return stack
  return new Stack(App.of(stack), `${stack.stackName}${suffix}`, {
    description: `Latchkey: parts of the front door in ${frontDoorRegion}`,
    env: { region: frontDoorRegion },
    crossRegionReferences: true,
  })
}
