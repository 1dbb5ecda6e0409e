import { isAbsolute, relative } from 'node:path'
import type { RequestRecord } from './gateway/handle-request.ts'

export interface BannerFacts {
  readonly url: string
  readonly mailUrl: string
  /** An absolute path, `:memory:`, or the URL of an external DynamoDB. */
  readonly data: string
  /** Set if this start created the user `admin`; without a password if it came from `ADMIN_PASSWORD`. */
  readonly admin?: { readonly generatedPassword: string | undefined } | undefined
  /** The configuration file that was applied. */
  readonly config?:
    | { readonly file: string; readonly summary: string; readonly outputs: string | undefined }
    | undefined
  /** Whether `ADMIN_PASSWORD` was ignored because the user `admin` already exists. */
  readonly isPasswordIgnored: boolean
  /** Whether the engine is DynamoDB Local, which listens on all interfaces and accepts any credentials. */
  readonly isDataExposed: boolean
  /** The version of Node.js, such as `24.1.0`. */
  readonly nodeVersion: string
}

/** Shortens a path inside the current folder to a relative path. */
export const shortenPath = (path: string): string => {
  const inside = relative(process.cwd(), path)
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside
}

const dataLine = (data: string): string => {
  if (data === ':memory:') return 'in memory, deleted on exit'
  return data.includes('://') ? data : shortenPath(data)
}

const adminLines = ({ admin, isPasswordIgnored }: BannerFacts): string[] => {
  if (admin?.generatedPassword)
    return [`  Admin   admin, password ${admin.generatedPassword}`, '          (shown this once)']
  if (admin) return ['  Admin   admin, with the password in ADMIN_PASSWORD']
  const lost = '          (lost the password? npm exec --no -- latchkey users rescue admin)'
  return [
    isPasswordIgnored ? '  Admin   already exists, ADMIN_PASSWORD was ignored' : '  Admin   already exists',
    lost,
  ]
}

const configLines = ({ config }: BannerFacts): string[] =>
  config
    ? [
        `  Config  ${shortenPath(config.file)}: ${config.summary}`,
        ...(config.outputs === undefined ? [] : [`          outputs in ${shortenPath(config.outputs)}`]),
      ]
    : []

/** The oldest Node.js that gets repairs, as `engines` of the package asks for. Older ones run most of it. */
export const oldestRepaired = [22, 12] as const

const nodeLines = ({ nodeVersion }: BannerFacts): string[] => {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const [wantedMajor, wantedMinor] = oldestRepaired
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
    ? []
    : [
        `  Note    Node.js ${nodeVersion} gets no repairs any more. Install ${wantedMajor}.${wantedMinor}`,
        '          or newer.',
      ]
}

const exposureLines = [
  '  Note    DynamoDB Local listens on all network interfaces without a password.',
  '          Use a firewall if you do not trust the network.',
]

/** The text that `npm start` prints when everything runs. Programs can wait for the line that begins with `ready`. */
export const formatBanner = (facts: BannerFacts): string => {
  const { url, mailUrl, data, admin, isDataExposed } = facts
  const password = admin?.generatedPassword ?? 'YOUR_PASSWORD'
  return [
    '',
    '  Latchkey in local mode',
    '',
    `  Console ${url}/admin`,
    `  Account ${url}/account`,
    `  Docs    ${url}/docs has guides and all operations`,
    `  Mail    ${mailUrl} shows sent emails and previews of all`,
    `  Data    ${dataLine(data)}`,
    ...configLines(facts),
    ...adminLines(facts),
    ...(isDataExposed ? exposureLines : []),
    ...nodeLines(facts),
    '',
    `ready ${url}`,
    '',
    'Try to sign in (Ctrl-C stops Latchkey):',
    '',
    `curl ${url}/api/2/auth/login \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"username":"admin","password":"${password}"}'`,
    '',
    '',
  ].join('\n')
}

/** Formats a request as one line, with its method and route but without path and query, which can contain secrets. */
export const formatRequest = (
  { routeKey, method, status, durationMs, requestId, blockedOrigin }: RequestRecord,
  at: Date,
): string => {
  const time = at.toTimeString().slice(0, 8)
  const route = routeKey === '$default' ? `${method} (unknown route)` : `${method} ${routeKey.split(' ')[1]}`
  // The start of the request id is enough to find the error in the log. The problem body contains the full id.
  const id = status >= 400 ? ` ${requestId.slice(0, 8)}` : ''
  const hint = blockedOrigin
    ? `         Pages of ${blockedOrigin} may not call the service. Add the origin to ALLOWED_ORIGINS.\n`
    : ''
  return `${time} ${route} ${status} ${Math.round(durationMs)} ms${id}\n${hint}`
}
