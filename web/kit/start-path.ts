import type { PageData, PageProvider } from '../../lib/contract/page-data.ts'

/** The path that starts a sign-in through a company connection. */
export const getStartPath = ({
  id,
  kind,
}: {
  readonly id: number
  readonly kind?: PageProvider['kind'] | undefined
}): string => (kind === 'oidc' ? `/api/2/auth/oidc-connections/${id}/start` : `/api/2/auth/saml/${id}/sso`)

export const appElement = document.getElementById('app') ?? document.body

/** What the server wrote into this page. */
export const pageData: PageData = JSON.parse(appElement.dataset['page'] ?? '{}')

/** Whether the page is the preview in the console. What took the focus there would scroll the console. */
export const isPreview = window !== window.parent
