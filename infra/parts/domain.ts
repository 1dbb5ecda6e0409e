import { Token } from 'aws-cdk-lib'
import {
  ApiMapping,
  DomainName,
  type HttpApi,
  type HttpStage,
  IpAddressType,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { Certificate, CertificateValidation, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager'
import {
  AaaaRecord,
  ARecord,
  HostedZone,
  type IAliasRecordTarget,
  type IHostedZone,
  RecordTarget,
} from 'aws-cdk-lib/aws-route53'
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets'
import { Construct, type IConstruct } from 'constructs'
import type { DomainProps } from '../../lib/kernel/settings/object-settings.ts'

export interface Domain {
  readonly scope: Construct
  readonly name: string
  readonly domainName: DomainName
  readonly certificate: ICertificate
  /** The zone of the name, if the records are created there. */
  readonly zone: IHostedZone | undefined
}

/**
 * Gives the API a domain name. With a hosted zone, clients can reach it over IPv6, too. All IDs contain the name, so that it is the same
 * resource when it becomes the former name: CloudFormation creates the other name beside it, and replaces nothing.
 */
export const createDomain = (
  parent: Construct,
  { name, certificateArn, hostedZone }: DomainProps,
): Domain => {
  const scope = new Construct(parent, Token.isUnresolved(name) ? 'Domain' : `Domain-${name}`)
  const zone = hostedZone && importZone(scope, hostedZone)
  const certificate =
    certificateArn === undefined
      ? createCertificate(scope, 'OwnCertificate', name, zone)
      : Certificate.fromCertificateArn(scope, 'Certificate', certificateArn)
  const domainName = new DomainName(scope, 'Name', {
    domainName: name,
    certificate,
    ...(zone ? { ipAddressType: IpAddressType.DUAL_STACK } : {}),
  })
  return { scope, name, domainName, certificate, zone }
}

/** Has the stage answer requests for the domain name. */
export const mapDomain = ({ scope, domainName }: Domain, api: HttpApi, stage: HttpStage): ApiMapping =>
  new ApiMapping(scope, 'Mapping', { api, domainName, stage })

/** Creates a certificate in the region of the stack. ACM renews it while the record in the zone exists. */
export const createCertificate = (
  scope: Construct,
  id: string,
  domainName: string,
  zone: IHostedZone | undefined,
): ICertificate => {
  if (!zone) throw new Error('A certificate can only be created in a hosted zone.')
  return new Certificate(scope, id, { domainName, validation: CertificateValidation.fromDns(zone) })
}

/** Uses a zone by its ID and name, so that the synthesis needs no account to look it up. */
export const importZone = (
  scope: Construct,
  { id, name }: NonNullable<DomainProps['hostedZone']>,
): IHostedZone => HostedZone.fromHostedZoneAttributes(scope, 'Zone', { hostedZoneId: id, zoneName: name })

/** Points the domain name at a target, for IPv4 and IPv6. */
export const addAliasRecords = (
  { scope, name, domainName, zone }: Domain,
  target: IAliasRecordTarget = new ApiGatewayv2DomainProperties(
    domainName.regionalDomainName,
    domainName.regionalHostedZoneId,
  ),
): readonly IConstruct[] => {
  if (!zone) return []
  const record = { zone, recordName: name, target: RecordTarget.fromAlias(target) }
  return [new ARecord(scope, 'Alias', record), new AaaaRecord(scope, 'AliasIpv6', record)]
}
