import { useEffect, useState } from 'preact/hooks'
import { type Action, useAction } from './button.tsx'
import { callApi } from './call-api.ts'

/** What the page keeps in the tab history, so that it can be reloaded and revisited. */
export interface LinkState {
  readonly token?: string
  /** The link to reset a password or to confirm an address was used. */
  readonly isDone?: boolean
  /** The person said that the account, for which the link was sent, is not theirs. */
  readonly isRejected?: boolean
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
const watchLinkState = async (onState: (state: LinkState) => void | Promise<void>): Promise<void> => {
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

interface ShownLink {
  readonly state: LinkState
  /** Changes when another link is pasted into the tab, so that the page starts again. */
  readonly visit: number
}

/** The link that the page shows, as the history of the tab keeps it. Undefined until it is read. */
export const useLinkState = (): ShownLink | undefined => {
  const [shown, setShown] = useState<ShownLink | undefined>()
  useEffect(() => {
    void watchLinkState((state) => setShown((before) => ({ state, visit: (before?.visit ?? 0) + 1 })))
  }, [])
  return shown
}

interface LinkAction<Result> {
  /** The answer of the service, or `before` if the link was used before the page was loaded again. */
  readonly result: Result | 'before' | undefined
  /** Why the link of the email does not work. */
  readonly problem: 'incomplete' | 'used' | undefined
  readonly action: Action<[]>
}

/** Sends the token of an emailed link once the person presses the button of its page. A link works once. */
export const useLinkAction = <Result>(
  { token = '', isDone }: LinkState,
  path: string,
): LinkAction<Result> => {
  const [result, setResult] = useState<Result | 'before' | undefined>(isDone ? 'before' : undefined)
  const [problem, setProblem] = useState<'incomplete' | 'used' | undefined>(
    isDone || token ? undefined : 'incomplete',
  )
  const action = useAction(async () => {
    const response = await callApi<Result>('POST', path, { body: { token } })
    if (response.isOk) {
      replaceLinkState({ isDone: true })
      setResult(response.body)
      return undefined
    }
    if (response.problem.code !== 'invalid_token') return response
    setProblem('used')
    return undefined
  })
  return { result, problem, action }
}
