import { Token } from 'aws-cdk-lib'
import type { DomainProps } from '../../lib/kernel/settings/object-settings.ts'

/** Host names as in certificates: several labels (RFC 1123 2.1), in lower case, and the last one is no number. */
const hostName = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/
const zoneName = /^(?=.{1,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)*[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/
const certificateForm = /^arn:aws[a-z-]*:acm:([a-z\d-]+):\d{12}:certificate\/[\w-]+$/

/** Whether the value is known and invalid. Values that are only known during the deployment are not checked. */
export const isInvalid = (value: string, isValid: (value: string) => boolean): boolean =>
  !Token.isUnresolved(value) && !isValid(value)

/**
 * Lists what is wrong with a domain, as a sentence each. `path` is the setting that has it, and `region` the region of the stack, if
 * it is known.
 */
export const findDomainProblems = (
  domain: DomainProps,
  path: 'domain' | 'formerDomain',
  region: string | undefined,
): readonly string[] => {
  const { name, certificateArn, hostedZone } = domain
  const problems: string[] = []
  if (certificateArn === undefined && hostedZone === undefined)
    problems.push(`${path} requires ${path}.certificateArn or ${path}.hostedZone.`)
  if (isInvalid(name, (text) => hostName.test(text)))
    problems.push(
      `${path}.name "${name}" must be a host name in lower case such as auth.example.com, without https://, port and path.`,
    )
  problems.push(...findZoneProblems(domain, path))
  if (certificateArn !== undefined)
    problems.push(...findCertificateProblems(`${path}.certificateArn`, certificateArn, region))
  return problems
}

const findZoneProblems = ({ name, hostedZone }: DomainProps, path: string): string[] => {
  if (hostedZone === undefined) return []
  const problems: string[] = []
  if (isInvalid(hostedZone.id, (text) => /^Z[A-Z\d]{1,31}$/.test(text)))
    problems.push(
      `${path}.hostedZone.id "${hostedZone.id}" must be the ID of a Route 53 hosted zone, such as Z0123456789ABCDEFGHIJ.`,
    )
  if (Token.isUnresolved([hostedZone.name, name])) return problems
  if (!zoneName.test(hostedZone.name))
    problems.push(
      `${path}.hostedZone.name "${hostedZone.name}" must be a domain in lower case such as example.com, without a dot at the end.`,
    )
  else if (hostName.test(name) && !`.${name}`.endsWith(`.${hostedZone.name}`))
    problems.push(
      `${path}.name "${name}" must be in the hosted zone: ${hostedZone.name} or a name that ends with .${hostedZone.name}.`,
    )
  return problems
}

/** The region in the ARN of a certificate. Undefined if it is no such ARN. */
export const readCertificateRegion = (certificateArn: string): string | undefined =>
  certificateForm.exec(certificateArn)?.[1]

const findCertificateProblems = (
  path: string,
  certificateArn: string,
  region: string | undefined,
): readonly string[] => {
  if (Token.isUnresolved(certificateArn)) return []
  const certificateRegion = readCertificateRegion(certificateArn)
  if (certificateRegion === undefined)
    return [
      `${path} "${certificateArn}" must be the ARN of an ACM certificate, such as arn:aws:acm:eu-central-1:111122223333:certificate/example.`,
    ]
  return region === undefined || certificateRegion === region
    ? []
    : [
        `${path} names a certificate in ${certificateRegion}, but the stack is in ${region}. Create a certificate for the domain in ${region}.`,
      ]
}
