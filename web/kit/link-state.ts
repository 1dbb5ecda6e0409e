/** What the page keeps in the tab history, so that it can be reloaded and revisited. */
export interface LinkState {
  readonly token?: string
  /** The link to reset a password or to confirm an address was used. */
  readonly isDone?: boolean
  /** The ID of the access link that was opened. */
  readonly openedLinkId?: number
  readonly isSignedOut?: boolean
  /** The session of the opened link, if the session cookie is that of a person. */
  readonly sessionKey?: string
  /** The page of the product that the opened link leads to. */
  readonly redirect?: string
  /** The product that the opened link belongs to. */
  readonly product?: string | null
}

let handledState: string | undefined

/** The parameters of the address that decide how the page looks. A reload needs them. */
const lookParameters = ['product', 'ui_locales']

/** Replaces the state of the current history entry and removes everything from the address bar that the look does not need. */
export const replaceLinkState = (state: LinkState): void => {
  const url = new URL(location.href)
  for (const name of [...url.searchParams.keys()])
    if (!lookParameters.includes(name)) url.searchParams.delete(name)
  history.replaceState(state, '', url.pathname + url.search)
  handledState = JSON.stringify(state)
}

/**
 * Calls `onState` with the state of the page, now and after every change. A token in the fragment moves to the history
 * entry, because the address bar is visible to others. Pasting another link into the tab only changes the fragment,
 * which starts the page again.
 */
export const watchLinkState = async (onState: (state: LinkState) => void | Promise<void>): Promise<void> => {
  const readState = async (): Promise<void> => {
    const token = new URLSearchParams(location.hash.slice(1)).get('token')
    if (token === null) {
      const state: LinkState = history.state ?? {}
      // The browser reports a new fragment by two events. The second event brings nothing new.
      if (JSON.stringify(state) === handledState) return
      handledState = JSON.stringify(state)
      return onState(state)
    }
    replaceLinkState({ token })
    return onState({ token })
  }
  addEventListener('hashchange', readState)
  addEventListener('popstate', readState)
  await readState()
}
