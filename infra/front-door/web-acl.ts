import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import { CfnLoggingConfiguration, CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import type { Construct } from 'constructs'
import { orDefault } from '../../lib/kernel/settings/setting.ts'
import { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'

/** Rules of the common rule set that only count, because they would refuse requests that the service must accept. */
export const countedRules = {
  SizeRestrictions_BODY:
    'SAML responses, metadata and passkeys have more than 8 KB. The service has its own limits.',
  SizeRestrictions_QUERYSTRING: 'SAML logout requests in a query have more than 2 KB.',
  CrossSiteScripting_BODY: 'Base64 in SAML responses and characters in passwords look like scripts.',
  CrossSiteScripting_QUERYARGUMENTS: 'Base64 in SAML logout requests looks like scripts.',
  RestrictedExtensions_QUERYARGUMENTS:
    'Addresses of products and searches may end like files, such as in .log.',
  GenericLFI_QUERYARGUMENTS:
    'Addresses of products and searches may contain dots and slashes. No query names a file.',
  GenericLFI_BODY: 'Passwords and paths of shared objects may contain dots and slashes.',
  GenericRFI_BODY: 'SAML metadata and addresses of products may contain URLs with IP addresses.',
  NoUserAgent_HEADER: 'Servers of products may send no User-Agent.',
} as const

/**
 * Rules of the common rule set about addresses such as `http://127.0.0.1`, with the labels that they give. They count, and the last
 * rule blocks what has a label, except where clients of OpenID Connect on a user's machine send such addresses (RFC 8252).
 */
export const addressRules = {
  EC2MetaDataSSRF_QUERYARGUMENTS: 'EC2MetaDataSSRF_QueryArguments',
  EC2MetaDataSSRF_BODY: 'EC2MetaDataSSRF_Body',
  GenericRFI_QUERYARGUMENTS: 'GenericRFI_QueryArguments',
} as const

/** The paths that redirect addresses of clients are sent to. */
export const addressPaths = '^/(oauth2/|api/2/oidc-clients(/|$))'

type Rule = CfnWebACL.RuleProperty

/** The name of the metrics of the web ACL. Metrics of two services in one account must differ. */
export const webAclMetricOf = (scope: Construct): string => `latchkey-front-door-${scope.node.addr.slice(-8)}`

/**
 * Creates the web ACL for the front door, in us-east-1: a limit for each address, addresses of bad reputation, requests
 * of known attacks, and the common rule set, apart from its rules about addresses in the paths of OpenID Connect.
 */
export const createWebAcl = (
  scope: Construct,
  /** How many requests one address may send in five minutes. */
  requestsPerAddress: number,
): CfnWebACL =>
  new CfnWebACL(scope, 'WebAcl', {
    description: 'Latchkey: front door of the authentication service',
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: visibilityOf(webAclMetricOf(scope)),
    rules: [
      limitAddresses(requestsPerAddress),
      useManagedRules(1, 'AWSManagedRulesAmazonIpReputationList'),
      useManagedRules(2, 'AWSManagedRulesKnownBadInputsRuleSet'),
      useManagedRules(3, 'AWSManagedRulesCommonRuleSet', [
        ...Object.keys(countedRules),
        ...Object.keys(addressRules),
      ]),
      blockAddresses(4),
    ],
  })

/** What no line of the log may contain, because it can contain credentials. */
const redactedHeaders = ['authorization', 'cookie', 'referer', 'latchkey-origin-secret']

/**
 * Logs blocked requests with the rule that blocked them, without path, query and the headers with credentials. WAF logs no bodies.
 */
export const logBlockedRequests = (
  scope: Construct,
  acl: CfnWebACL,
  logRetention: number | undefined,
): void => {
  const retention: RetentionDays = orDefault(stackSettings.logRetention, logRetention)
  // WAF requires the beginning of the name.
  const logGroupName = `aws-waf-logs-${Stack.of(scope).stackName}-${acl.node.addr.slice(-8)}`
  const logGroup = new LogGroup(scope, 'BlockedRequests', {
    logGroupName,
    retention,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const logging = new CfnLoggingConfiguration(scope, 'BlockedRequestsLogging', {
    resourceArn: acl.attrArn,
    logDestinationConfigs: [
      Stack.of(scope).formatArn({
        service: 'logs',
        resource: 'log-group',
        resourceName: logGroupName,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    ],
    redactedFields: [
      { uriPath: {} },
      { queryString: {} },
      ...redactedHeaders.map((name) => ({ singleHeader: { Name: name } })),
    ],
    loggingFilter: {
      DefaultBehavior: 'DROP',
      Filters: [
        {
          Behavior: 'KEEP',
          Requirement: 'MEETS_ANY',
          Conditions: [{ ActionCondition: { Action: 'BLOCK' } }],
        },
      ],
    },
  })
  logging.node.addDependency(logGroup)
}

const limitAddresses = (limit: number): Rule => ({
  name: 'requests-per-address',
  priority: 0,
  statement: { rateBasedStatement: { limit, aggregateKeyType: 'IP', evaluationWindowSec: 300 } },
  action: {
    block: {
      customResponse: { responseCode: 429, responseHeaders: [{ name: 'Retry-After', value: '300' }] },
    },
  },
  visibilityConfig: visibilityOf('latchkey-requests-per-address'),
})

const useManagedRules = (priority: number, name: string, counted: readonly string[] = []): Rule => ({
  name,
  priority,
  overrideAction: { none: {} },
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
  visibilityConfig: visibilityOf(`latchkey-${name}`),
})

const blockAddresses = (priority: number): Rule => ({
  name: 'addresses-outside-of-oauth',
  priority,
  statement: {
    andStatement: {
      statements: [
        {
          orStatement: {
            statements: Object.values(addressRules).map((label) => ({
              labelMatchStatement: { scope: 'LABEL', key: `awswaf:managed:aws:core-rule-set:${label}` },
            })),
          },
        },
        {
          notStatement: {
            statement: {
              regexMatchStatement: {
                regexString: addressPaths,
                fieldToMatch: { uriPath: {} },
                // As API Gateway reads the path.
                textTransformations: [
                  { priority: 0, type: 'URL_DECODE' },
                  { priority: 1, type: 'NORMALIZE_PATH' },
                ],
              },
            },
          },
        },
      ],
    },
  },
  action: { block: {} },
  visibilityConfig: visibilityOf('latchkey-addresses-outside-of-oauth'),
})

/** Metrics only: samples of requests would show the headers and paths of users, and so their credentials. */
const visibilityOf = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
})
