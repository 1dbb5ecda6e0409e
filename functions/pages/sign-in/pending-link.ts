/** Moves the token of an access link from the fragment to the tab history, because the address bar is visible to others. */
export const keepPendingLink = (): void => {
  const link = new URLSearchParams(location.hash.slice(1)).get('link')
  if (link !== null) history.replaceState({ link }, '', location.pathname)
}

/** Returns the address of the access link that the user wants to open after the sign-in, if there is one. */
export const findPendingLink = (): string | undefined => {
  const link: string = history.state?.link ?? ''
  return /^lka_\w+$/.test(link) ? `/link#token=${link}` : undefined
}
