import { DomainName, IpAddressType } from 'aws-cdk-lib/aws-apigatewayv2'
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
import type { Construct, IConstruct } from 'constructs'
import type { DomainProps } from '../settings/auth-service-props.ts'

export interface Domain {
  readonly name: string
  readonly domainName: DomainName
  readonly certificate: ICertificate
  /** The zone of the name, if the records are created there. */
  readonly zone: IHostedZone | undefined
}

/** Gives the API its own domain name. With a hosted zone, clients can reach it over IPv6, too. */
export const createDomain = (scope: Construct, { name, certificateArn, hostedZone }: DomainProps): Domain => {
  const zone = hostedZone && importZone(scope, hostedZone)
  const certificate =
    certificateArn === undefined
      ? createCertificate(scope, 'OwnCertificate', name, zone)
      : Certificate.fromCertificateArn(scope, 'Certificate', certificateArn)
  const domainName = new DomainName(scope, 'Domain', {
    domainName: name,
    certificate,
    ...(zone ? { ipAddressType: IpAddressType.DUAL_STACK } : {}),
  })
  return { name, domainName, certificate, zone }
}

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
  scope: Construct,
  { name, domainName, zone }: Domain,
  target: IAliasRecordTarget = new ApiGatewayv2DomainProperties(
    domainName.regionalDomainName,
    domainName.regionalHostedZoneId,
  ),
): readonly IConstruct[] => {
  if (!zone) return []
  const record = { zone, recordName: name, target: RecordTarget.fromAlias(target) }
  return [new ARecord(scope, 'Alias', record), new AaaaRecord(scope, 'AliasIpv6', record)]
}
