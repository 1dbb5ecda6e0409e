/**
 * Every setting of the stack: a key of `config/<stage>.json`, or of the CDK context (`cdk deploy -c key=value`).
 * `npm run docs` builds the reference page from this table.
 */
export const contextSettings = {
  stage:
    'The file with the settings: `prod` stands for `config/prod.json`. Settings of the context override the file.',
  stackName:
    'The name of the stack, `Latchkey` by default. Use another name for a second service in one account.',
  publicUrl: 'The https origin of the service. The default is the domain, else the URL of the API.',
  allowedOrigins:
    'The origins of your products, separated by commas. Their pages may call the service, and users may be redirected to them.',
  signInUrl: 'The https address of the sign-in page of your product, if it has one.',
  domainName:
    'A domain name for the service. It requires `certificateArn`, or `hostedZoneId` and `hostedZoneName`.',
  certificateArn:
    'The ARN of an ACM certificate for `domainName`, in the region of the stack. Without it, a certificate is created in the hosted zone.',
  hostedZoneId: 'The ID of the Route 53 hosted zone of `domainName`. The DNS records are created there.',
  hostedZoneName: 'The domain of the hosted zone, such as `example.com`.',
  region:
    'The region of the stack. The default is the region of your AWS credentials. `frontDoor` requires it.',
  frontDoor:
    'Whether CloudFront and AWS WAF are before the service: `true` or `false`, `false` by default. See [Front door](../deploy.md#front-door).',
  frontDoorCertificateArn:
    'The ARN of an ACM certificate for `domainName` in us-east-1, for `frontDoor`. Without it, one is created in the hosted zone.',
  webAclArn: 'The ARN of a web ACL of yours for `frontDoor`, instead of the created one.',
  requestsPerAddress:
    'How many requests one address may send in five minutes with `frontDoor`, 10,000 by default.',
  priceClass: 'The edge locations of `frontDoor`: `100` (the default), `200` or `all`.',
  originSecretVersion:
    'The number of the secret between CloudFront and the service, 1 by default. Raise it by 1 to rotate the secret.',
  allowDirectRequests:
    'Whether requests past `frontDoor` are accepted, while DNS names move to it: `true` or `false`, `false` by default.',
  mailFrom:
    'The sender of emails, as an address or `Name <address>`. SES must have verified it. Without it, no email is sent.',
  alarmEmail: 'The email address that receives alarms.',
  tracing: 'Whether AWS X-Ray records requests: `true` or `false`, `false` by default.',
  hashingConcurrency:
    'Concurrent executions reserved for each function that hashes passwords. See [Scaling](../scaling.md#concurrency).',
  backup:
    'Whether AWS Backup keeps daily and monthly copies of the table: `true` or `false`, `false` by default.',
  dashboard: 'Whether the stack has a CloudWatch dashboard: `true` or `false`, `true` by default.',
  trustedProxies:
    'Addresses and CIDR ranges of your proxies before the service, separated by commas. Their `X-Forwarded-For` names the address of users. See [Proxies](../configuration.md#proxies).',
  breachEndpoint:
    'The range API that reports breached passwords, Have I Been Pwned by default. An empty value turns the lookup off.',
  signInByEmail:
    'Whether users may sign in with their verified email address: `true` or `false`, `true` by default.',
  allowMixedScripts:
    'Whether new usernames may have letters of several scripts, such as Latin and Cyrillic: `true` or `false`, `false` by default.',
  allowLookalikeUsernames:
    'Whether new usernames may look like those of other users, such as `rnaria` next to `maria`: `true` or `false`, `false` by default.',
  apiReference:
    'The API reference at `/docs`: `read` (the default) shows it, `try` also lets readers send calls from it, `off` hides it.',
  hstsIncludeSubdomains:
    'With `true`, browsers use HTTPS for all hosts below the host of the service. `false` by default.',
  hstsPreload:
    'With `true`, browser vendors may list the host as HTTPS only. Requires `hstsIncludeSubdomains`. `false` by default.',
  sessionLifetimes:
    'How long sessions last, such as `users=1209600/86400, administrators=86400/3600`. See [Sessions](../concepts/sessions.md#lifetime).',
  linkUrl:
    'The page of your product that access links lead to, or several as `name=URL`, separated by commas. Their origins must be in `allowedOrigins`. See [Access links](../concepts/access-links.md#lead-into-your-product).',
  jwtAudiences:
    'The servers that JWTs may be for, separated by commas, besides `publicUrl`. See [JWTs](../concepts/jwts.md#audiences).',
  recentAuthenticationSeconds:
    'How long users may change credentials after they proved their identity. The default is `900`.',
  passkeyRpId:
    'The domain that passkeys belong to: the host of `publicUrl` (the default) or a domain that it belongs to. If you change it, no passkey works any more.',
  passkeyRpName: 'The name of your service that browsers show with passkeys, `Latchkey` by default.',
  passkeyOrigins:
    'The origins of your products whose pages may use passkeys, separated by commas. They must be within `passkeyRpId`.',
  passkeyUserVerification:
    'With `required` (the default), each passkey verifies its user, such as by a fingerprint or PIN. With `preferred`, keys that cannot do that may follow a password.',
  passkeyTimeoutSeconds: 'How long browsers wait for the user, from 30 to 300 seconds. The default is 300.',
  tableName:
    'The name of a restored or retained table to use instead of a new one. It requires `tableStreamArn`. See [Adopt a table](../operate.md#adopt-a-table).',
  tableStreamArn: 'The ARN of the stream of that table. The stream must contain keys only.',
  tableKeyArn: 'The ARN of the KMS key that encrypts that table. The default is the key of the stack.',
  vaultKeyArn:
    'The ARN of the KMS key that encrypted the secrets inside that table, such as second factors, instead of a new key.',
  otherVaultKeyArn:
    'The ARN of another vault key that only decrypts, while secrets move from one key to another. See [Rotate keys](../operate.md#change-the-vault-key).',
  auditKeyArn:
    'The ARN of the KMS key that signed the audit checkpoints of that table, instead of a new key.',
  rateLimits: 'Changed [rate limits](rate-limits.md), such as `otpGuesses=10/300`.',
} as const

export type ContextSetting = keyof typeof contextSettings
