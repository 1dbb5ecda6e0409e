import { forgetValue, keepValue, readKeptValue } from '../kit/kept-values.ts'

const name = 'pending-link'
/** As long as a sign-in at an identity provider may take. */
const lifetimeMs = 10 * 60_000

/** Moves the token of an access link from the fragment to the tab history, because the address bar is visible to others. */
export const keepPendingLink = (): void => {
  const link = new URLSearchParams(location.hash.slice(1)).get('link')
  if (link !== null) history.replaceState({ link }, '', location.pathname + location.search)
}

/** Returns the address of the access link that the user wants to open after the sign-in, if there is one. */
export const findPendingLink = (): string | undefined => {
  const link: string = history.state?.link ?? ''
  return /^lka_\w+$/.test(link) ? `/link#token=${link}` : undefined
}

/** Keeps the access link in the tab while it shows an identity provider, whose address must not contain the token. */
export const keepLinkForProvider = (): void => {
  const link = findPendingLink()
  if (link) keepValue('tab', name, link, lifetimeMs)
  else forgetValue('tab', name)
}

/** Returns the address of the access link that the tab kept, once. */
export const takeLinkOfProvider = (): string | undefined => {
  const link = readKeptValue('tab', name)
  forgetValue('tab', name)
  return link
}
