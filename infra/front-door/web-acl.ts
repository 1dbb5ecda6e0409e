import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import type { Construct } from 'constructs'

/** Rules of the common rule set that only count, because they would refuse requests that the service must accept. */
export const countedRules = {
  SizeRestrictions_BODY:
    'SAML responses, metadata and passkeys have more than 8 KB. The service has its own limits.',
  SizeRestrictions_QUERYSTRING: 'SAML logout requests in a query have more than 2 KB.',
  CrossSiteScripting_BODY: 'Base64 in SAML responses and characters in passwords look like scripts.',
  CrossSiteScripting_QUERYARGUMENTS: 'Base64 in SAML logout requests looks like scripts.',
  GenericLFI_BODY: 'Passwords and paths of shared objects may contain dots and slashes.',
  GenericRFI_BODY: 'SAML metadata and addresses of products may contain URLs with IP addresses.',
  NoUserAgent_HEADER: 'Servers of products may send no User-Agent.',
} as const

type Rule = CfnWebACL.RuleProperty

/**
 * Creates the web ACL for the front door, in us-east-1: a limit for each address, addresses of bad reputation, requests
 * of known attacks, and the common rule set.
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
    visibilityConfig: visibilityOf('latchkey-front-door'),
    rules: [
      limitAddresses(requestsPerAddress),
      useManagedRules(1, 'AWSManagedRulesAmazonIpReputationList'),
      useManagedRules(2, 'AWSManagedRulesKnownBadInputsRuleSet'),
      useManagedRules(3, 'AWSManagedRulesCommonRuleSet', Object.keys(countedRules)),
    ],
  })

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

/** Metrics only: samples of requests would show the headers and paths of users, and so their credentials. */
const visibilityOf = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
})
