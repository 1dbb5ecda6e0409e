/*
 * The addresses of pages, for everything on the server that links to one: emails, redirects and documents. A place that a page does not
 * have does not compile: the pages compare the names of their sections with these.
 */

/** The sections of the console that the server links to, and what can follow the name of each. */
export interface ConsolePlaces {
  users: readonly [] | readonly [userId: number]
  'sign-up': readonly []
  connections:
    | readonly []
    | readonly [kind: string, connectionId: number]
    | readonly [kind: string, connectionId: number, part: 'tests', testId: string]
  'audit-events': readonly []
}
export type ConsoleSection = keyof ConsolePlaces

export const accountSections = [
  'profile',
  'password',
  'two-step',
  'passkeys',
  'sessions',
  'api-tokens',
  'apps',
  'connections',
  'organizations',
] as const
export type AccountSection = (typeof accountSections)[number]

/** The sections of the page of an organization. */
export type OrganizationSection =
  | 'members'
  | 'invitations'
  | 'api-tokens'
  | 'links'
  | 'sign-in'
  | 'events'
  | 'roles'
  | 'settings'

/** The pages that a link in an email opens with a one-time credential. */
export type TokenPage = 'confirm' | 'invite' | 'link' | 'reset' | 'secure' | 'setup' | 'sign-up'

/** The page of a section of the console, or of something in it. */
export const toConsolePage = <Section extends ConsoleSection>(
  publicUrl: string,
  section: Section,
  ...place: ConsolePlaces[Section]
): string => `${publicUrl}/admin#/${[section, ...place].join('/')}`

/** What the directory of a company connection sent, in the console. */
export const toDirectoryTab = (publicUrl: string, kind: string, connectionId: number): string =>
  `${toConsolePage(publicUrl, 'connections', kind, connectionId)}?tab=directory`

/** The account page, or one of its sections. */
export const toAccountPage = (publicUrl: string, section?: AccountSection): string =>
  `${publicUrl}/account${section === undefined ? '' : `#/${section}`}`

/** The page on which people manage an organization. */
export const toOrganizationPage = (publicUrl: string, id: number, section: OrganizationSection): string =>
  `${publicUrl}/organization#/${id}/${section}`

/** A page with the token of an email. The token is in the fragment, which no server or `Referer` gets. */
export const toTokenPage = (publicUrl: string, page: TokenPage, token: string, query = ''): string =>
  `${publicUrl}/${page}${query}#token=${token}`
