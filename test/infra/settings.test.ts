import { describe, expect, it } from 'vitest'
import { findPropProblems, findRegion } from '../../infra/settings/check-props.ts'

const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/example'
const domain = { name: 'auth.example.com', certificateArn }
const hostedZone = { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' }
const frontDoor = { certificateArn: certificateArn.replace('eu-central-1', 'us-east-1') }
const publicUrl = 'https://auth.example.com'

describe('the props of the construct', () => {
  it('have no problems if they are valid', () => {
    const props = {
      ...{ publicUrl, domain, signInUrl: 'https://app.example.com/sign-in?from=auth' },
      ...{ allowedOrigins: ['https://app.example.com', 'https://app.example.com:8443'] },
      linkUrl: 'App=https://app.example.com/shared/{id}',
      ...{ mailFrom: 'Example <no-reply@example.com>', alarmEmail: 'ops@example.com' },
      ...{ breachEndpoint: '', rateLimits: 'otpGuesses=10/300', hashingConcurrency: 5 },
      ...{ hstsIncludeSubdomains: true, hstsPreload: true, passkeyRpId: 'example.com' },
      ...{ trustedProxies: ['10.0.0.0/8', '2001:db8::1'] },
      ...{ sessionLifetimes: 'administrators=86400/3600', throttle: { rateLimit: 50, burstLimit: 100 } },
    }
    expect(findPropProblems(props, 'eu-central-1')).toEqual([])
    expect(findPropProblems({}, undefined)).toEqual([])
    const webAclArn = 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/own/1'
    const door = { ...frontDoor, webAclArn, originSecretVersion: 2, allowDirectRequests: true }
    expect(findPropProblems({ domain, frontDoor: door }, 'eu-central-1')).toEqual([])
    for (const name of ['auth.example.com', 'example.com'])
      for (const own of [{}, { certificateArn }])
        expect(findPropProblems({ domain: { name, hostedZone, ...own } }, 'eu-central-1')).toEqual([])
  })

  it.each([
    [{ publicUrl: 'http://auth.example.com' }, 'publicUrl "http://auth.example.com" must be an https origin'],
    [{ publicUrl: 'https://auth.example.com/' }, 'publicUrl "https://auth.example.com/" must be'],
    [{ publicUrl: '' }, 'publicUrl "" must be an https origin'],
    [{ allowedOrigins: ['https://a.example.com', '*'] }, 'allowedOrigins contains "*"'],
    [
      { allowedOrigins: ['https://a.example.com/page'] },
      'allowedOrigins contains "https://a.example.com/page"',
    ],
    [{ allowedOrigins: ['https://*.example.com'] }, 'allowedOrigins contains "https://*.example.com"'],
    [{ allowedOrigins: [''] }, 'allowedOrigins contains ""'],
    [{ signInUrl: 'javascript:alert(1)' }, 'signInUrl "javascript:alert(1)" must be an https URL.'],
    [{ signInUrl: 'http://app.example.com/' }, 'must be an https URL.'],
    [{ linkUrl: 'https://app.example.com/shared' }, 'linkUrl must contain only URLs of allowed origins'],
    [{ domain: { ...domain, name: 'https://auth.example.com' } }, 'must be a host name in lower case'],
    [{ domain: { ...domain, name: 'auth.example.com/path' } }, 'without https://, port and path.'],
    [{ domain: { ...domain, name: 'auth.example.com:443' } }, 'domainName "auth.example.com:443" must be'],
    [{ domain: { ...domain, name: '192.0.2.1' } }, 'domainName "192.0.2.1" must be'],
    [{ domain: { ...domain, name: '*.example.com' } }, 'domainName "*.example.com" must be'],
    [
      { domain: { ...domain, certificateArn: 'certificate/example' } },
      'must be the ARN of an ACM certificate',
    ],
    [
      { domain: { ...domain, certificateArn: certificateArn.replace('eu-central-1', 'us-east-1') } },
      'certificateArn names a certificate in us-east-1, but the stack is in eu-central-1.',
    ],
    [{ domain: { name: 'auth.example.com' } }, 'domainName requires certificateArn, or hostedZoneId and'],
    [
      { domain: { ...domain, hostedZone: { ...hostedZone, id: '/hostedzone/Z0123' } } },
      'hostedZoneId "/hostedzone/Z0123" must be the ID of a Route 53 hosted zone',
    ],
    [
      { domain: { ...domain, hostedZone: { ...hostedZone, name: 'example.com.' } } },
      'hostedZoneName "example.com." must be a domain in lower case',
    ],
    [
      { domain: { ...domain, hostedZone: { ...hostedZone, name: 'example.org' } } },
      'domainName "auth.example.com" must be in the hosted zone: example.org or',
    ],
    [
      { domain: { name: 'badexample.com', hostedZone } },
      'domainName "badexample.com" must be in the hosted zone',
    ],
    [{ frontDoor }, 'frontDoor requires domainName.'],
    [
      { domain, frontDoor: { certificateArn } },
      'frontDoorCertificateArn names a certificate in eu-central-1, but CloudFront requires one in us-east-1.',
    ],
    [
      { domain, frontDoor: { certificateArn: 'example' } },
      'frontDoorCertificateArn "example" must be the ARN of an ACM certificate in us-east-1.',
    ],
    [
      {
        domain,
        frontDoor: {
          ...frontDoor,
          webAclArn: 'arn:aws:wafv2:eu-central-1:111122223333:regional/webacl/own/1',
        },
      },
      'must be the ARN of a web ACL in us-east-1 with the scope CLOUDFRONT',
    ],
    [
      { domain, frontDoor: { ...frontDoor, originSecretVersion: 0 } },
      'originSecretVersion must be a whole number from 1.',
    ],
    [{ mailFrom: 'example.com' }, 'mailFrom "example.com" must be name@example.com or'],
    [{ alarmEmail: 'Ops <ops@example.com>' }, 'alarmEmail "Ops <ops@example.com>" must be an email address'],
    [{ breachEndpoint: 'foo' }, 'breachEndpoint must be an http(s) URL.'],
    [{ rateLimits: 'otpGuesses=0/300' }, 'rateLimits must set otpGuesses to 1 to 1000000'],
    [{ rateLimits: 'otpGuess=5/300' }, 'rateLimits must be a list such as'],
    [{ sessionLifetimes: 'users=5/5' }, 'sessionLifetimes must set users to at least 600 idle seconds'],
    [{ recentAuthenticationSeconds: 59 }, 'recentAuthenticationSeconds must be an integer from 60 to 86400.'],
    [{ hashingConcurrency: 0 }, 'hashingConcurrency must be a whole number from 1.'],
    [{ throttle: { rateLimit: -1, burstLimit: 10 } }, 'throttle.rateLimit must be a number above 0.'],
    [{ throttle: { rateLimit: 10, burstLimit: 0.5 } }, 'throttle.burstLimit must be a whole number from 1.'],
    [{ trustedProxies: ['10.0.0.0/8', '0.0.0.0/0'] }, 'trustedProxies must contain only addresses and CIDR'],
    [{ hstsPreload: true }, 'hstsPreload requires hstsIncludeSubdomains.'],
    [{ publicUrl, passkeyRpId: 'example.org' }, 'passkeyRpId must be the host of publicUrl or a domain'],
    [{ domain, passkeyRpId: 'example.org' }, 'passkeyRpId must be the host of publicUrl or a domain'],
    [
      { publicUrl, passkeyOrigins: ['https://example.org'] },
      'passkeyOrigins must contain only https origins',
    ],
    [{ passkeyTimeoutSeconds: 5 }, 'passkeyTimeoutSeconds must be an integer from 30 to 300.'],
    [{ passkeyRpName: 'x'.repeat(65) }, 'passkeyRpName must have at most 64 characters.'],
  ] as const)('%j has one problem, with a sentence about it', (props, text) => {
    const problems = findPropProblems(props, 'eu-central-1')
    expect(problems).toEqual([expect.stringContaining(text)])
    expect(problems[0]).toMatch(/^[a-z].*\.$/)
  })

  it('have their problems listed at once', () => {
    const props = { publicUrl: 'auth.example.com', breachEndpoint: 'foo', hashingConcurrency: -1 }
    expect(findPropProblems(props, undefined)).toHaveLength(3)
  })
})

describe('the region of a certificate', () => {
  const abroad = {
    domain: { ...domain, certificateArn: certificateArn.replace('eu-central-1', 'us-east-1') },
  }

  it('is not compared while the region of the stack is unknown', () => {
    expect(findPropProblems(abroad, undefined)).toEqual([])
  })

  it('is compared with the region of the stack, else of the credentials', () => {
    expect(findRegion('eu-west-1', {})).toBe('eu-west-1')
    const credentials = { CDK_DEFAULT_ACCOUNT: '111122223333', CDK_DEFAULT_REGION: 'eu-north-1' }
    expect(findRegion(undefined, credentials)).toBe('eu-north-1')
    expect(findRegion(undefined, { CDK_DEFAULT_REGION: 'us-east-1' })).toBeUndefined()
  })
})
