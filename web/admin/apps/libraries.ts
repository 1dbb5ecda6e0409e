/** A part of what the guide says about a library. */
type LibraryPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly code: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly [name: string, value: string])[] }

export interface Library {
  readonly name: string
  readonly parts: readonly LibraryPart[]
}

/**
 * Reads the libraries from `docs/libraries.md`, so that guide and console show the same lines. Commands that register a client
 * are left out: the console did it.
 */
export const readLibraries = (markdown: string): readonly Library[] =>
  markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [name = '', ...lines] = section.split('\n')
      return { name, parts: readParts(lines.join('\n')) }
    })

const readParts = (text: string): readonly LibraryPart[] =>
  text.split(/^(```[\s\S]*?^```)$/m).flatMap((part): readonly LibraryPart[] => {
    const [, language = '', code = ''] = /^```(\w*)[^\n]*\n([\s\S]*)```$/.exec(part) ?? []
    if (language === 'sh') return []
    return language === '' ? readProse(part) : [{ kind: 'code', language, code }]
  })

const readProse = (text: string): readonly LibraryPart[] =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) =>
      paragraph.startsWith('|')
        ? { kind: 'table', rows: paragraph.split('\n').slice(2).map(readRow) }
        : { kind: 'text', text: toPlainText(paragraph.replaceAll('\n', ' ')) },
    )

const readRow = (line: string): readonly [string, string] => {
  const [name = '', value = ''] = line.split('|').slice(1, -1)
  return [toPlainText(name.trim()), toPlainText(value.trim())]
}

const toPlainText = (text: string): string =>
  text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '')

/** What is known about an app. */
export interface AppFacts {
  readonly issuer: string
  readonly clientId: string
  readonly redirectUri: string
  readonly scope: string
}

/** Puts the values of an app in the place of those of the guide. The secret stays in the environment. */
export const fillInCode = (
  { language, code }: Extract<LibraryPart, { kind: 'code' }>,
  { issuer, clientId, redirectUri, scope }: AppFacts,
): string => {
  const quote = (text: string) => quoteFor(language, text)
  return code
    .replaceAll(/http:\/\/localhost:8080(?:\/protected)?\/callback/g, () => quote(redirectUri))
    .replaceAll("baseURL: 'http://localhost:8080'", () => `baseURL: '${quote(getOrigin(redirectUri))}'`)
    .replaceAll("authority: 'http://localhost:3000'", () => `authority: '${quote(issuer)}'`)
    .replaceAll("'the client_id'", () => `'${quote(clientId)}'`)
    .replaceAll('openid profile email', () => scope)
}

const getOrigin = (uri: string): string => URL.parse(uri)?.origin ?? uri

/** Another administrator chose the addresses, so they must not become code. */
const quoteFor = (language: string, text: string): string => {
  if (language === 'js') return text.replaceAll(/[\\']/g, '\\$&')
  return language === 'python' ? text.replaceAll(/[\\"]/g, '\\$&') : text
}

/** Libraries for pages without a server, and what accepts access tokens. All others are for servers with a secret. */
const pageLibraries = ['oidc-client-ts']
const apiLibraries = ['API Gateway']

/** Paths of redirect URIs by which a library is known. */
const usualPaths: readonly (readonly [path: string, name: string])[] = [
  ['/api/auth/callback/', 'Auth.js and next-auth'],
  ['/login/oauth2/code/', 'Spring Security'],
  ['/oauth2/callback', 'oauth2-proxy'],
  ['/oauth2/idpresponse', 'Application Load Balancer'],
]

interface AppKind {
  readonly type: 'confidential' | 'public'
  readonly redirect_uris: readonly string[]
  readonly apis: readonly unknown[]
}

/** The libraries that suit an app, the most likely one first. */
export const chooseLibraries = (
  libraries: readonly Library[],
  { type, redirect_uris: uris, apis }: AppKind,
): readonly Library[] => {
  const suits = ({ name }: Library): boolean => {
    if (apiLibraries.includes(name)) return apis.length > 0
    return uris.length > 0 && pageLibraries.includes(name) === (type === 'public')
  }
  const [, usual] = usualPaths.find(([path]) => uris.some((uri) => uri.includes(path))) ?? []
  const found = libraries.filter(suits)
  return [...found.filter(({ name }) => name === usual), ...found.filter(({ name }) => name !== usual)]
}
