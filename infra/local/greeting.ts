import { isAbsolute, relative } from 'node:path'
import type { RequestRecord } from './gateway.ts'

export interface GreetingFacts {
  readonly url: string
  readonly mailUrl: string
  /** An absolute path, `:memory:`, or the URL of a DynamoDB elsewhere. */
  readonly data: string
  /** Set when the user `admin` was made just now. */
  readonly admin?: { readonly madePassword: string | undefined } | undefined
  /** Whether a password was given that was of no use, since there is a first admin already. */
  readonly isPasswordUnused: boolean
  /** DynamoDB Local can't be told to listen on the loopback address alone, and asks for no credentials. */
  readonly isDataExposed: boolean
}

/** A path as it is said in this folder, when it is inside of it. */
export const shownPath = (path: string): string => {
  const inside = relative(process.cwd(), path)
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside
}

const dataLine = (data: string): string => {
  if (data === ':memory:') return 'in memory, gone when this ends'
  return data.includes('://') ? data : shownPath(data)
}

const adminLines = ({ admin, isPasswordUnused }: GreetingFacts): string[] => {
  if (admin?.madePassword)
    return [`  Admin   admin, password ${admin.madePassword}`, '          (shown this once)']
  if (admin) return ['  Admin   admin, with the password in ADMIN_PASSWORD']
  return isPasswordUnused ? ['  Admin   is there already: ADMIN_PASSWORD was not used'] : []
}

const exposureLines = [
  '  Note    DynamoDB Local listens on all network interfaces, without a password:',
  '          let a firewall guard it where you do not trust the network',
]

/** What `npm start` says once everything runs. The line that begins with `ready` is for programs too. */
export const greeting = (facts: GreetingFacts): string => {
  const { url, mailUrl, data, admin, isDataExposed } = facts
  const password = admin?.madePassword ?? 'YOUR_PASSWORD'
  return [
    '',
    '  Latchkey on this machine',
    '',
    `  Data    ${dataLine(data)}`,
    `  Mail    ${mailUrl} shows what was sent`,
    ...adminLines(facts),
    ...(isDataExposed ? exposureLines : []),
    '',
    `ready ${url}`,
    '',
    'Try a login (Ctrl-C ends Latchkey):',
    '',
    `curl ${url}/api/2/auth/login \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"username":"admin","password":"${password}"}'`,
    '',
    '',
  ].join('\n')
}

/** One line of a request: its route as declared, never the path or query as sent, which can hold secrets. */
export const requestLine = (
  { routeKey, method, status, durationMs, requestId }: RequestRecord,
  at: Date,
): string => {
  const time = at.toTimeString().slice(0, 8)
  const route = routeKey === '$default' ? `${method} (no such route)` : routeKey
  // What went wrong can be looked for by it: the problem body has the whole of it, and so has the log.
  const id = status >= 400 ? ` ${requestId.slice(0, 8)}` : ''
  return `${time} ${route} ${status} ${Math.round(durationMs)} ms${id}\n`
}
