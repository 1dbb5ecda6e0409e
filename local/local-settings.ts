interface LocalSetting {
  /** The default as the documentation shows it. */
  readonly default: string
  readonly description: string
}

/** Every environment variable that configures local mode. `npm run docs` builds the reference page from this table. */
export const localSettings: Readonly<Record<string, LocalSetting>> = {
  PORT: {
    default: '`3000`',
    description: 'The port of the service. The page with sent emails is on the next port.',
  },
  DATA_DIR: {
    default: '`.local`',
    description: 'The folder for data. `:memory:` keeps data only while the process runs.',
  },
  ADMIN_PASSWORD: {
    default: 'generated and printed',
    description:
      'The password of the user `admin` on the first start: 12 to 1,024 characters, and not easy to guess.',
  },
  PUBLIC_URL: {
    default: '`http://127.0.0.1:PORT`',
    description: 'The origin of the service. Links in emails and redirects are built from it.',
  },
  ALLOWED_ORIGINS: {
    default: 'none',
    description:
      'The origins of your products, separated by commas. Their pages may call the service, and users may be redirected to them.',
  },
  SIGN_IN_URL: { default: '`PUBLIC_URL`', description: 'The sign-in page of your product, if it has one.' },
  DYNAMODB_ENDPOINT: {
    default: 'none',
    description: 'The URL of a DynamoDB that already runs. Without it, local mode starts its own engine.',
  },
  BREACH_ENDPOINT: {
    default: 'Have I Been Pwned',
    description:
      'The range API that reports breached passwords. It receives five hex digits of a hash. An empty value turns the lookup off.',
  },
  MAIL_FROM: {
    default: '`Latchkey <no-reply@localhost>`',
    description: 'The sender of emails, as an address or `Name <address>`.',
  },
  SESSION_LIFETIMES: {
    default: '`users=1209600/86400`',
    description:
      'How long sessions last, such as `users=1209600/86400, administrators=86400/3600`. See [Sessions](../concepts/sessions.md#lifetime).',
  },
  LINK_URL: {
    default: 'none',
    description:
      'The page of your product that access links lead to, or several as `name=URL`, separated by commas. Their origins must be in `ALLOWED_ORIGINS`. See [Access links](../concepts/access-links.md#lead-into-your-product).',
  },
  JWT_AUDIENCES: {
    default: 'none',
    description:
      'The servers that JWTs may be for, separated by commas, besides `PUBLIC_URL`. See [JWTs](../concepts/jwts.md#audiences).',
  },
  RECENT_AUTHENTICATION_SECONDS: {
    default: '`900`',
    description: 'How long users may change credentials after they proved their identity, 60 to 86400.',
  },
  PASSKEY_RP_ID: {
    default: 'host of `PUBLIC_URL`',
    description:
      'The domain that passkeys belong to. Browsers accept `localhost` but no IP address, so set `PUBLIC_URL=http://localhost:3000` to try passkeys.',
  },
  PASSKEY_RP_NAME: {
    default: '`Latchkey`',
    description: 'The name of the service that browsers show with passkeys.',
  },
  PASSKEY_ORIGINS: {
    default: 'none',
    description: 'More origins whose pages may use passkeys, separated by commas.',
  },
  PASSKEY_USER_VERIFICATION: {
    default: '`required`',
    description:
      '`required`: each passkey verifies its user. `preferred`: keys that cannot do that may follow a password.',
  },
  PASSKEY_TIMEOUT_SECONDS: {
    default: '`300`',
    description: 'How long browsers wait for the user, from 30 to 300 seconds.',
  },
  TRUSTED_PROXIES: {
    default: 'none',
    description:
      'Addresses and CIDR ranges of your proxies, separated by commas. Their `X-Forwarded-For` names the address of users. See [Proxies](../configuration.md#proxies).',
  },
  RATE_LIMITS: {
    default: 'none',
    description: 'Changed [rate limits](rate-limits.md), such as `otpGuesses=10/300`.',
  },
  PASSWORD_COST: { default: '`12`', description: 'The bcrypt cost of new password hashes, 4 to 14.' },
  LOG_LEVEL: {
    default: '`warn`',
    description: 'One of `debug`, `info`, `warn`, `error`, `silent`. `info` logs a line for each request.',
  },
  SIGN_IN_BY_EMAIL: {
    default: '`true`',
    description: 'Whether users may sign in with their verified email address: `true` or `false`.',
  },
  HSTS_INCLUDE_SUBDOMAINS: {
    default: '`false`',
    description:
      '`true` makes browsers use HTTPS for all hosts below the host of `PUBLIC_URL`, if that is an https URL.',
  },
  HSTS_PRELOAD: {
    default: '`false`',
    description:
      '`true` permits browser vendors to list the host as HTTPS only. Requires `HSTS_INCLUDE_SUBDOMAINS`.',
  },
  ALLOW_MIXED_SCRIPTS: {
    default: '`false`',
    description: '`true` allows new usernames with letters of several scripts, such as Latin and Cyrillic.',
  },
  ALLOW_LOOKALIKE_USERNAMES: {
    default: '`false`',
    description:
      '`true` allows new usernames that look like those of other users, such as `rnaria` next to `maria`.',
  },
  API_REFERENCE: {
    default: '`try`',
    description:
      'The API reference at `/docs`: `read` shows it, `try` also lets readers send calls from it, `off` hides it.',
  },
  ALLOW_PRIVATE_METADATA: {
    default: '`false`',
    description:
      '`true` allows SAML metadata from loopback addresses, on any port and without TLS. For tests of SAML only.',
  },
}

/** Variables that local mode sets itself. Values from outside have no effect on the service. */
export const reservedVariables = [
  'TABLE_NAME',
  'VALIDATE_RESPONSES',
  'ORIGIN_SECRETS',
  'ALLOW_DIRECT_REQUESTS',
  'MAIL_CONFIGURATION_SET',
  'KMS_KEY_ID',
  'KMS_OTHER_KEY_ID',
  'LOCAL_KEY_FILE',
  'AUDIT_KEY_ID',
  'LOCAL_AUDIT_KEY_FILE',
  'AWS_ENDPOINT_URL_SES',
] as const
