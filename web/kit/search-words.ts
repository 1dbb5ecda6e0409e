/*
 * What people type into a search: words that say nothing, and words of the market for what has another name here. The search of the
 * documentation and that of the console share them.
 */

/** Words that a question has, and that no text is found by. */
const silentWords: ReadonlySet<string> = new Set(
  'a an and are at by can could do does for from have how i in into is it my of on or our the this to use using want we what when where which with you your'.split(
    ' ',
  ),
)

/** Words for one thing. What people type comes first in each row, then the words that texts have. */
const rows: readonly (readonly [typed: readonly string[], said: readonly string[]])[] = [
  [['sso', 'single sign-on', 'enterprise sso', 'company login'], ['company sign-in']],
  [['idp', 'okta', 'entra', 'adfs', 'onelogin', 'ping'], ['identity provider']],
  [
    ['2fa', 'mfa', 'two factor', 'two-factor', 'totp', 'otp'],
    ['second factor', 'sign-in policies'],
  ],
  [['social login', 'social sign in', 'social'], ['sign in with google']],
  [['passwordless'], ['passkeys', 'emailed codes']],
  [['webauthn', 'fido', 'fido2', 'security key'], ['passkeys']],
  [['multi tenant', 'multi-tenant', 'multi tenancy', 'tenant', 'tenants', 'b2b'], ['organizations']],
  [['api key', 'api keys', 'personal access token', 'pat'], ['api tokens']],
  [
    ['log in', 'signin'],
    ['sign in', 'sign-in', 'login'],
  ],
  [
    ['log out', 'logout', 'signout'],
    ['sign out', 'logout'],
  ],
  [['register', 'registration', 'signup'], ['sign-up']],
  [
    ['forgot admin password', 'lost admin password', 'admin password', 'lost password of admin'],
    ['password of the administrator'],
  ],
  [
    ['forgot', 'forgotten', 'lost'],
    ['lost', 'reset'],
  ],
  [['custom domain', 'own domain', 'hostname'], ['change the domain']],
  [['backup', 'backups', 'disaster recovery'], ['back up']],
  [['role', 'rbac'], ['roles']],
  [
    ['delete', 'remove'],
    ['delete', 'remove'],
  ],
  [['gdpr', 'dsgvo', 'data protection'], ['privacy']],
  [['react', 'vue', 'angular', 'svelte', 'spa', 'vite'], ['single-page app']],
  [['next', 'nextjs', 'next.js', 'next-auth', 'nextauth'], ['next.js']],
  [['flask', 'django app', 'fastapi'], ['python']],
  [['fastify', 'nestjs', 'koa', 'hono'], ['use the middleware']],
  [['react native', 'flutter', 'ios', 'android', 'mobile app', 'electron'], ['native apps']],
  [['sms', 'text message'], ['codes by sms']],
  [['github actions', 'gitlab ci', 'ci', 'pipeline', 'continuous integration'], ['pipeline']],
  [['dark mode', 'theme', 'white label', 'colors', 'css'], ['branding']],
  [['price', 'pricing', 'billing'], ['cost']],
  [
    ['hooks', 'actions', 'triggers'],
    ['hooks', 'audit events'],
  ],
  [
    ['webhook', 'webhooks'],
    ['webhooks', 'follow the audit events'],
  ],
  [['offboarding', 'offboard'], ['when a person leaves']],
  [['scim', 'directory sync', 'provisioning'], ['scim']],
  [
    ['user import', 'migrate users', 'migration'],
    ['move from another system', 'import users'],
  ],
  [
    ['service account', 'machine to machine', 'm2m'],
    ['client credentials', 'machine'],
  ],
  [['audit log', 'audit trail', 'history'], ['audit events']],
  [['email template', 'email templates', 'email text'], ['emails']],
  [['brute force', 'throttling', 'too many requests'], ['rate limits']],
  [['account linking', 'link accounts'], ['accounts at providers']],
  [['logo', 'brand', 'favicon'], ['branding']],
  [['device code', 'device flow', 'tv'], ['devices']],
  [['invite', 'invite user', 'invite users'], ['invitations']],
  [['ip allowlist', 'ip whitelist'], ['allowlist']],
  [['change port', 'another port', 'different port'], ['the port is in use']],
  [['kubernetes', 'podman', 'helm'], ['containers']],
  [['sendgrid', 'mailgun', 'postmark'], ['smtp']],
  [['iac', 'infrastructure as code'], ['configuration as code']],
  [['rolle', 'rollen', 'rôle', 'rol', 'ロール'], ['roles']],
  [['zwei-faktor', 'deux facteurs', 'dos factores', '二要素', '2要素認証'], ['second factor']],
  [['dunkel', 'sombre', 'oscuro', 'ダーク'], ['branding']],
  [['sitzung', 'sesión', 'セッション'], ['sessions']],
  [['einladen', 'inviter', 'invitar', '招待'], ['invitations']],
  [['nutzung', 'utilisation', 'uso', '使用状況'], ['usage']],
]

const longestPhrase = Math.max(...rows.flatMap(([typed]) => typed.map((phrase) => phrase.split(' ').length)))
const saidBy: ReadonlyMap<string, readonly string[]> = new Map(
  rows.flatMap(([typed, said]) => typed.map((phrase) => [phrase, said] as const)),
)

/** What a text has to contain for a part of a query: one of these. */
export type SearchTerm = readonly string[]

/**
 * Reads what a person typed. Silent words are left out unless there are no others, and each term has the words of texts that mean it.
 *
 * @example
 * ```ts
 * readSearchTerms('How do I set up SSO') // [['set'], ['up'], ['sso', 'company sign-in']]
 * ```
 */
export const readSearchTerms = (query: string): readonly SearchTerm[] => {
  const words = query
    .toLowerCase()
    .split(/[\s,;?!]+/)
    .filter(Boolean)
  const terms: SearchTerm[] = []
  const silent: SearchTerm[] = []
  for (let at = 0; at < words.length; ) {
    const [length, term] = readPhrase(words, at)
    if (length === 1 && silentWords.has(words[at] ?? '')) silent.push(term)
    else terms.push(term)
    at += length
  }
  return terms.length > 0 ? terms : silent
}

/** The longest phrase with other words for it that begins here, or else the word. */
const readPhrase = (words: readonly string[], at: number): readonly [number, SearchTerm] => {
  for (let length = Math.min(longestPhrase, words.length - at); length > 0; length -= 1) {
    const phrase = words.slice(at, at + length).join(' ')
    const said = saidBy.get(phrase)
    if (said) return [length, [phrase, ...said]]
  }
  const word = words[at] ?? ''
  // Texts have the singular or the plural.
  return [1, word.length > 3 && word.endsWith('s') ? [word, word.slice(0, -1)] : [word]]
}
