import { Aws, Duration } from 'aws-cdk-lib'
import type { DomainName } from 'aws-cdk-lib/aws-apigatewayv2'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  OriginSslPolicy,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { Construct } from 'constructs'
import { originSecretHeader } from '../../lib/kernel/settings/internal-settings.ts'
import { frontDoorSettings } from '../../lib/kernel/settings/object-settings.ts'
import { orDefault } from '../../lib/kernel/settings/setting.ts'
import { acknowledge } from '../parts/newer-cdk.ts'
import type { FrontDoorParts } from './front-door-stacks.ts'

const classes = {
  '100': PriceClass.PRICE_CLASS_100,
  '200': PriceClass.PRICE_CLASS_200,
  all: PriceClass.PRICE_CLASS_ALL,
} as const

/** Statuses of errors that CloudFront would keep for ten seconds, without regard to who sent the request. */
const errorStatuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]

export interface Origin {
  /** The name of the service, which viewers and the API use alike. */
  readonly name: string
  readonly domainName: DomainName
  readonly originSecret: string
}

/**
 * Creates the CloudFront distribution before the API. It passes everything on and keeps nothing, because each answer depends on
 * the caller, except the files of the pages. The viewer's `Host` is also the name of the API's own domain, so API Gateway accepts it.
 */
export const createFrontDoor = (
  parent: Construct,
  { name, domainName, originSecret }: Origin,
  { certificateArn, webAclArn, priceClass }: FrontDoorParts,
): Distribution => {
  const scope = new Construct(parent, 'FrontDoor')
  const originRequestPolicy = new OriginRequestPolicy(scope, 'OriginRequest', {
    originRequestPolicyName: namePolicy(scope),
    comment: 'Latchkey: everything that viewers send, with their address and country',
    cookieBehavior: OriginRequestCookieBehavior.all(),
    queryStringBehavior: OriginRequestQueryStringBehavior.all(),
    headerBehavior: OriginRequestHeaderBehavior.all('CloudFront-Viewer-Address', 'CloudFront-Viewer-Country'),
  })
  const origin = new HttpOrigin(domainName.regionalDomainName, {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    customHeaders: { [originSecretHeader]: originSecret },
  })
  const distribution = new Distribution(scope, 'Distribution', {
    comment: 'Latchkey: front door of the authentication service',
    domainNames: [name],
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    httpVersion: HttpVersion.HTTP2_AND_3,
    priceClass: classes[orDefault(frontDoorSettings.priceClass, priceClass)],
    ...(webAclArn === undefined ? {} : { webAclId: webAclArn }),
    errorResponses: errorStatuses.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    defaultBehavior: {
      origin,
      // Clients of an API must not send their credential over plain HTTP first, so they are not redirected.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy,
      compress: false,
    },
    additionalBehaviors: { '/assets/*': serveFiles(scope, origin) },
  })
  for (const [id, reason] of [
    ['AwsSolutions-CFR1', 'Users may be in any country.'],
    ['AwsSolutions-CFR2', 'The web ACL is a setting. Without it, the service still limits requests itself.'],
    [
      'AwsSolutions-CFR3',
      'The access log is delivered to CloudWatch with chosen fields. Logs in S3 would contain paths and queries, and so credentials.',
    ],
  ] as const)
    acknowledge(distribution, { id, reason })
  return distribution
}

/** Names of policies are unique in the account, over all regions. */
const namePolicy = (scope: Construct, suffix = ''): string =>
  `${Aws.STACK_NAME}-${Aws.REGION}-${scope.node.addr.slice(-8)}${suffix}`

/**
 * Keeps the scripts and stylesheets of the pages for as long as the service says. They are the same for everyone, so the service gets
 * nothing of a request that could change the answer: no query, no cookie, and of the headers only those that it requires.
 */
const serveFiles = (scope: Construct, origin: HttpOrigin): BehaviorOptions => ({
  origin,
  viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
  // The service answers other methods with 405.
  allowedMethods: AllowedMethods.ALLOW_ALL,
  cachePolicy: new CachePolicy(scope, 'Files', {
    cachePolicyName: namePolicy(scope, '-files'),
    comment: 'Latchkey: files of the pages, by path and encoding',
    cookieBehavior: CacheCookieBehavior.none(),
    queryStringBehavior: CacheQueryStringBehavior.none(),
    headerBehavior: CacheHeaderBehavior.none(),
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.days(365),
  }),
  originRequestPolicy: new OriginRequestPolicy(scope, 'FileRequest', {
    originRequestPolicyName: namePolicy(scope, '-files'),
    comment: 'Latchkey: files of the pages, with the address of the first viewer for the log',
    cookieBehavior: OriginRequestCookieBehavior.none(),
    queryStringBehavior: OriginRequestQueryStringBehavior.none(),
    headerBehavior: OriginRequestHeaderBehavior.allowList('Host', 'CloudFront-Viewer-Address'),
  }),
  compress: true,
})
