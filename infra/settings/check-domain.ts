import { Token } from 'aws-cdk-lib'
import type { DomainProps } from './auth-service-props.ts'

/** The settings about the domain. Any of them may be missing. */
export interface DomainSettings {
  readonly domainName?: string
  readonly certificateArn?: string
  readonly hostedZoneId?: string
  readonly hostedZoneName?: string
}

/** Host names as in certificates: several labels (RFC 1123 2.1), in lower case, and the last one is no number. */
const hostName = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/
const zoneName = /^(?=.{1,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)*[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/
const certificateForm = /^arn:aws[a-z-]*:acm:([a-z\d-]+):\d{12}:certificate\/[\w-]+$/

/** Whether the value is known and invalid. Values that are only known during the deployment are not checked. */
export const isInvalid = (value: string, isValid: (value: string) => boolean): boolean =>
  !Token.isUnresolved(value) && !isValid(value)

/** Joins the settings about the domain. Undefined if they name none, or if one that it requires is missing. */
export const toDomainProps = ({
  domainName,
  certificateArn,
  hostedZoneId,
  hostedZoneName,
}: DomainSettings): DomainProps | undefined => {
  if (!domainName || !hostedZoneId !== !hostedZoneName || !(certificateArn || hostedZoneId)) return undefined
  return {
    name: domainName,
    ...(certificateArn ? { certificateArn } : {}),
    ...(hostedZoneId && hostedZoneName ? { hostedZone: { id: hostedZoneId, name: hostedZoneName } } : {}),
  }
}

export const toDomainSettings = ({ name, certificateArn, hostedZone }: DomainProps): DomainSettings => ({
  domainName: name,
  ...(certificateArn === undefined ? {} : { certificateArn }),
  ...(hostedZone ? { hostedZoneId: hostedZone.id, hostedZoneName: hostedZone.name } : {}),
})

/** Lists what is wrong with the domain, as a sentence each. `region` is the region of the stack, if it is known. */
export const findDomainProblems = (
  settings: DomainSettings,
  region: string | undefined,
): readonly string[] => {
  const { domainName, certificateArn, hostedZoneId, hostedZoneName } = settings
  const problems: string[] = []
  if ((hostedZoneId === undefined) !== (hostedZoneName === undefined))
    problems.push('hostedZoneId and hostedZoneName must be set together.')
  else if (domainName === undefined && hostedZoneId !== undefined)
    problems.push('hostedZoneId and hostedZoneName require domainName.')
  else if (domainName !== undefined && hostedZoneId === undefined && certificateArn === undefined)
    problems.push('domainName requires certificateArn, or hostedZoneId and hostedZoneName.')
  if (domainName === undefined && certificateArn !== undefined)
    problems.push('certificateArn requires domainName.')
  if (domainName !== undefined && isInvalid(domainName, (text) => hostName.test(text)))
    problems.push(
      `domainName "${domainName}" must be a host name in lower case such as auth.example.com, without https://, port and path.`,
    )
  problems.push(...findZoneProblems(settings))
  if (certificateArn !== undefined) problems.push(...findCertificateProblems(certificateArn, region))
  return problems
}

const findZoneProblems = ({ domainName = '', hostedZoneId, hostedZoneName }: DomainSettings): string[] => {
  const problems: string[] = []
  if (hostedZoneId !== undefined && isInvalid(hostedZoneId, (text) => /^Z[A-Z\d]{1,31}$/.test(text)))
    problems.push(
      `hostedZoneId "${hostedZoneId}" must be the ID of a Route 53 hosted zone, such as Z0123456789ABCDEFGHIJ.`,
    )
  if (hostedZoneName === undefined || Token.isUnresolved([hostedZoneName, domainName])) return problems
  if (!zoneName.test(hostedZoneName))
    problems.push(
      `hostedZoneName "${hostedZoneName}" must be a domain in lower case such as example.com, without a dot at the end.`,
    )
  else if (hostName.test(domainName) && !`.${domainName}`.endsWith(`.${hostedZoneName}`))
    problems.push(
      `domainName "${domainName}" must be in the hosted zone: ${hostedZoneName} or a name that ends with .${hostedZoneName}.`,
    )
  return problems
}

/** The region in the ARN of a certificate. Undefined if it is no such ARN. */
export const readCertificateRegion = (certificateArn: string): string | undefined =>
  certificateForm.exec(certificateArn)?.[1]

const findCertificateProblems = (certificateArn: string, region: string | undefined): readonly string[] => {
  if (Token.isUnresolved(certificateArn)) return []
  const certificateRegion = readCertificateRegion(certificateArn)
  if (certificateRegion === undefined)
    return [
      `certificateArn "${certificateArn}" must be the ARN of an ACM certificate, such as arn:aws:acm:eu-central-1:111122223333:certificate/example.`,
    ]
  return region === undefined || certificateRegion === region
    ? []
    : [
        `certificateArn names a certificate in ${certificateRegion}, but the stack is in ${region}. Create a certificate for the domain in ${region}.`,
      ]
}
