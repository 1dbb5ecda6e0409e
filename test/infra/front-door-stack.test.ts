import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createApp } from '../../infra/app.ts'
import { addressRules, countedRules } from '../../infra/front-door/web-acl.ts'
import type { JsonValue } from '../support/client.ts'
import { distributionOf } from './cloud-front.ts'
import { shareBundles } from './shared-bundles.ts'
import { resourcesOf, shareSynthesis, stackSettings } from './synthesis.ts'

const { template, permissions, templateOf, messages } = await shareSynthesis('frontDoor')
const parts = templateOf('LatchkeyFrontDoor')
const log = templateOf('LatchkeyFrontDoorLog')
const distribution = distributionOf(template)
const { folder: bundleDir } = await shareBundles()
const outdir = mkdtempSync(join(tmpdir(), 'latchkey-front-door-'))
afterAll(() => rmSync(outdir, { recursive: true }))

const synthesize = (settings: Record<string, unknown>) =>
  createApp({ outdir, bundleDir, context: { ...stackSettings.frontDoor, ...settings } }).synth()
const referenceTo = (id: string) => ({
  'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: id }, ':SecretString:::}}']],
})
const secretsOf = (from: typeof template): string[] =>
  resourcesOf(from, 'AWS::SecretsManager::Secret').flatMap(([id]) =>
    id.includes('OriginSecret') ? [id] : [],
  )
const [, domain] = resourcesOf(template, 'AWS::ApiGatewayV2::DomainName')[0] ?? []

describe('the distribution', () => {
  it('accepts all methods over TLS 1.2, HTTP/2 and HTTP/3, for the name of the service alone', () => {
    expect(distribution).toMatchObject({
      Aliases: ['auth.example.com'],
      HttpVersion: 'http2and3',
      IPV6Enabled: true,
      PriceClass: 'PriceClass_100',
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021' },
    })
    expect(distribution).not.toHaveProperty('Logging')
    expect(distribution.DefaultCacheBehavior.ViewerProtocolPolicy).toBe('https-only')
    expect([...distribution.DefaultCacheBehavior.AllowedMethods].sort()).toEqual(
      ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'].sort(),
    )
  })

  it('keeps no answer but the files of the pages, and no error', () => {
    // The managed policy CachingDisabled.
    expect(distribution.DefaultCacheBehavior.CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad')
    for (const { ErrorCachingMinTTL } of distribution.CustomErrorResponses) expect(ErrorCachingMinTTL).toBe(0)
    expect(distribution.CustomErrorResponses.map(({ ErrorCode }: JsonValue) => ErrorCode)).toEqual(
      expect.arrayContaining([403, 404, 500, 503]),
    )
    expect(distribution.DefaultCacheBehavior).not.toHaveProperty('ResponseHeadersPolicyId')
    expect(distribution.CacheBehaviors.map(({ PathPattern }: JsonValue) => PathPattern)).toEqual([
      '/assets/*',
    ])
  })

  it('keeps files by path and encoding, for as long as the service says, and passes on nothing else of a request', () => {
    const [behavior] = distribution.CacheBehaviors
    const policyOf = (id: JsonValue) => template.Resources[id.Ref]?.Properties
    expect(behavior).toMatchObject({
      Compress: true,
      TargetOriginId: distribution.DefaultCacheBehavior.TargetOriginId,
      ViewerProtocolPolicy: 'https-only',
    })
    expect(policyOf(behavior.CachePolicyId).CachePolicyConfig).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 31_536_000,
      ParametersInCacheKeyAndForwardedToOrigin: {
        CookiesConfig: { CookieBehavior: 'none' },
        HeadersConfig: { HeaderBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'none' },
        EnableAcceptEncodingBrotli: true,
        EnableAcceptEncodingGzip: true,
      },
    })
    expect(policyOf(behavior.OriginRequestPolicyId).OriginRequestPolicyConfig).toMatchObject({
      CookiesConfig: { CookieBehavior: 'none' },
      HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Host', 'CloudFront-Viewer-Address'] },
      QueryStringsConfig: { QueryStringBehavior: 'none' },
    })
  })

  it('passes on everything that viewers send with their address, to the domain of the API with the same name', () => {
    const { Ref: policyId } = distribution.DefaultCacheBehavior.OriginRequestPolicyId
    const policy = template.Resources[policyId]
    expect(policy?.Properties.OriginRequestPolicyConfig).toMatchObject({
      CookiesConfig: { CookieBehavior: 'all' },
      QueryStringsConfig: { QueryStringBehavior: 'all' },
      HeadersConfig: {
        HeaderBehavior: 'allViewerAndWhitelistCloudFront',
        Headers: ['CloudFront-Viewer-Address', 'CloudFront-Viewer-Country'],
      },
    })
    const [[domainId] = []] = resourcesOf(template, 'AWS::ApiGatewayV2::DomainName')
    expect(distribution.Origins).toMatchObject([
      {
        DomainName: { 'Fn::GetAtt': [domainId, 'RegionalDomainName'] },
        CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
      },
    ])
    expect(domain?.Properties.DomainName).toBe('auth.example.com')
    const [[, api] = []] = resourcesOf(template, 'AWS::ApiGatewayV2::Api')
    expect(api?.Properties.DisableExecuteApiEndpoint).toBe(true)
  })

  it('gets the DNS records of the service', () => {
    const [[id] = []] = resourcesOf(template, 'AWS::CloudFront::Distribution')
    const records = resourcesOf(template, 'AWS::Route53::RecordSet').map(([, one]) => one.Properties)
    expect(records.map(({ Type, Name }) => [Type, Name])).toEqual([
      ['A', 'auth.example.com.'],
      ['AAAA', 'auth.example.com.'],
    ])
    for (const { AliasTarget } of records)
      expect(AliasTarget.DNSName).toEqual({ 'Fn::GetAtt': [id, 'DomainName'] })
  })
})

describe('the origin secret', () => {
  const [current = '', former = ''] = secretsOf(template)

  it('is generated, and the template has only references to it', () => {
    expect([current, former].map((id) => /OriginSecret(\d)/.exec(id)?.[1])).toEqual(['2', '1'])
    for (const id of [current, former])
      expect(template.Resources[id]?.Properties.GenerateSecretString).toEqual({
        PasswordLength: 43,
        ExcludePunctuation: true,
      })
    expect(distribution.Origins[0].OriginCustomHeaders).toEqual([
      { HeaderName: 'Latchkey-Origin-Secret', HeaderValue: referenceTo(current) },
    ])
  })

  it('is known to the functions behind the API alone, with the former one', () => {
    const [[parameterId, parameter] = []] = resourcesOf(template, 'AWS::SSM::Parameter')
    const accepted = JSON.stringify(parameter?.Properties.Value)
    expect([accepted.includes(current), accepted.includes(former)]).toEqual([true, true])
    const behindApi = resourcesOf(permissions, 'AWS::Lambda::Permission').map(
      ([, { Properties }]) => Properties.FunctionName['Fn::GetAtt'][0],
    )
    for (const [id, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
      expect([id, Properties.Environment.Variables.ORIGIN_SECRETS]).toEqual([
        id,
        behindApi.includes(id) ? { 'Fn::GetAtt': [parameterId, 'Value'] } : undefined,
      ])
    }
  })

  it('is accepted by the functions before CloudFront sends it', () => {
    const [[, one] = []] = resourcesOf(template, 'AWS::CloudFront::Distribution')
    const functions = resourcesOf(permissions, 'AWS::Lambda::Permission').map(
      ([, { Properties }]) => Properties.FunctionName['Fn::GetAtt'][0],
    )
    expect(one).toMatchObject({ DependsOn: expect.arrayContaining(functions) })
  })

  it('rotates only after a check of its version, which no function behind the API overtakes', () => {
    const [[check, resource] = []] = resourcesOf(template, 'Custom::LatchkeyOriginSecretVersion')
    expect(resource?.Properties.Version).toBe(2)
    const behindApi = resourcesOf(permissions, 'AWS::Lambda::Permission').map(
      ([, { Properties }]) => Properties.FunctionName['Fn::GetAtt'][0],
    )
    for (const id of behindApi)
      expect(template.Resources[id]).toMatchObject({ DependsOn: expect.arrayContaining([check]) })
  })

  it('rotates with its version: the next deployment keeps the current one and deletes the former', () => {
    const next = synthesize({ frontDoor: { originSecretVersion: 3 } }).getStackByName('Latchkey').template
    expect(secretsOf(next).map((id) => /OriginSecret(\d)/.exec(id)?.[1])).toEqual(['3', '2'])
    expect(secretsOf(next)).toContain(current)
    expect(distributionOf(next).Origins[0].OriginCustomHeaders[0].HeaderValue).not.toEqual(
      referenceTo(current),
    )
  })
})

describe('the web ACL', () => {
  const [[, acl] = []] = resourcesOf(parts, 'AWS::WAFv2::WebACL')
  const rules: readonly JsonValue[] = acl?.Properties.Rules

  it('limits addresses, and refuses bad reputation, known attacks and common attacks', () => {
    expect(acl?.Properties).toMatchObject({ Scope: 'CLOUDFRONT', DefaultAction: { Allow: {} } })
    expect(rules.map(({ Name }) => Name)).toEqual([
      'requests-per-address',
      'AWSManagedRulesAmazonIpReputationList',
      'AWSManagedRulesKnownBadInputsRuleSet',
      'AWSManagedRulesCommonRuleSet',
      'addresses-outside-of-oauth',
    ])
    expect(new Set(rules.map(({ Priority }) => Priority)).size).toBe(rules.length)
    expect(rules[0]).toMatchObject({
      Statement: { RateBasedStatement: { Limit: 10_000, AggregateKeyType: 'IP' } },
      Action: { Block: { CustomResponse: { ResponseCode: 429 } } },
    })
  })

  it('only counts the rules that requests of the service break', () => {
    const overrides = rules.flatMap(({ Statement }) =>
      (Statement.ManagedRuleGroupStatement?.RuleActionOverrides ?? []).map((one: JsonValue) => [
        one.Name,
        Object.keys(one.ActionToUse),
      ]),
    )
    expect(overrides).toEqual(
      Object.keys({ ...countedRules, ...addressRules }).map((name) => [name, ['Count']]),
    )
    for (const rule of ['SizeRestrictions_BODY', 'CrossSiteScripting_BODY'])
      expect(Object.keys(countedRules)).toContain(rule)
  })

  it('shows no samples of requests, which would contain credentials', () => {
    for (const { VisibilityConfig } of [acl?.Properties, ...rules])
      expect(VisibilityConfig).toMatchObject({
        SampledRequestsEnabled: false,
        CloudWatchMetricsEnabled: true,
      })
  })
})

describe('the log of blocked requests', () => {
  it('has the rule, and neither path nor query nor credentials', () => {
    const [[, logging] = []] = resourcesOf(parts, 'AWS::WAFv2::LoggingConfiguration')
    const [[, group] = []] = resourcesOf(parts, 'AWS::Logs::LogGroup')
    expect(group?.Properties.LogGroupName).toMatch(/^aws-waf-logs-/)
    expect(JSON.stringify(logging?.Properties.LogDestinationConfigs)).toContain(
      group?.Properties.LogGroupName,
    )
    expect(logging?.Properties.RedactedFields).toEqual([
      { UriPath: {} },
      { QueryString: {} },
      ...['authorization', 'cookie', 'referer', 'latchkey-origin-secret'].map((Name) => ({
        SingleHeader: { Name },
      })),
    ])
    expect(logging?.Properties.LoggingFilter).toMatchObject({ DefaultBehavior: 'DROP' })
  })
})

describe('the access log', () => {
  it('has no paths, queries, cookies and other headers', () => {
    const [[, delivery] = []] = resourcesOf(log, 'AWS::Logs::Delivery')
    expect(delivery?.Properties.RecordFields).toContain('c-ip')
    expect(delivery?.Properties.RecordFields.join(' ')).not.toMatch(
      /uri|query|cookie|referer|user-agent|host/i,
    )
    const [[, group] = []] = resourcesOf(log, 'AWS::Logs::LogGroup')
    expect(group?.Properties.LogGroupName).toMatch(/^\/aws\/vendedlogs\//)
    expect(group?.Properties.RetentionInDays).toBe(90)
  })
})

describe('the stacks', () => {
  it('break no rule of AwsSolutions without a stated reason', () => {
    expect(messages).toEqual([])
  })

  it('are three, and one if the service is in us-east-1', () => {
    for (const one of [template, parts, log]) expect(Object.keys(one.Resources)).not.toEqual([])
    const single = synthesize({ region: 'us-east-1', frontDoor: { allowDirectRequests: true } })
    expect(JSON.stringify(single.stacks[0]?.template)).toContain('"ALLOW_DIRECT_REQUESTS":"true"')
    expect(JSON.stringify(template)).toContain('"ALLOW_DIRECT_REQUESTS":"false"')
    expect(single.stacks.map(({ stackName }) => stackName)).toEqual(['Latchkey'])
    for (const type of ['AWS::WAFv2::WebACL', 'AWS::Logs::Delivery', 'AWS::CloudFront::Distribution'])
      expect(resourcesOf(single.stacks[0]?.template, type)).toHaveLength(1)
    expect(resourcesOf(single.stacks[0]?.template, 'AWS::CertificateManager::Certificate')).toHaveLength(2)
  })

  it('change the distribution when CloudFormation replaces what it refers to', () => {
    const [[, acl] = []] = resourcesOf(parts, 'AWS::WAFv2::WebACL')
    expect(acl?.Properties).not.toHaveProperty('Name')
    const other = synthesize({
      domain: { name: 'auth.example.com', hostedZone: { id: 'Z0000000000000000000B', name: 'example.com' } },
    }).getStackByName('Latchkey').template
    const certificateOf = (from: typeof template) => distributionOf(from).ViewerCertificate.AcmCertificateArn
    expect(certificateOf(other)).not.toEqual(certificateOf(template))
    expect(distributionOf(other).WebACLId).toEqual(distribution.WebACLId)
    const same = synthesize({
      frontDoor: { ...stackSettings.frontDoor.frontDoor, requestsPerAddress: 20 },
    }).getStackByName('Latchkey').template
    expect(distributionOf(same)).toEqual(distribution)
  })

  it('have no web ACL and certificate of their own if the settings name them', () => {
    const own = {
      certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/1',
      webAclArn: 'arn:aws:wafv2:us-east-1:000000000000:global/webacl/own/1',
    }
    const assembly = synthesize({ frontDoor: own })
    expect(assembly.stacks.map(({ stackName }) => stackName)).not.toContain('LatchkeyFrontDoor')
    expect(distributionOf(assembly.getStackByName('Latchkey').template)).toMatchObject({
      ViewerCertificate: { AcmCertificateArn: own.certificateArn },
      WebACLId: own.webAclArn,
    })
  })
})
