import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Action, useAction } from '../kit/button.tsx'
import type { ApiFailure } from '../kit/call-api.ts'
import { toFailure } from '../kit/call-api.ts'
import { askForIdentity, reportSignedOut } from './client.ts'

export interface Loaded<Value> {
  /** What was loaded last. It stays while it is loaded again. Undefined until it is loaded. */
  readonly value: Value | undefined
  /** Why it could not be loaded. */
  readonly failure: ApiFailure | undefined
  readonly reload: () => Promise<void>
  /** Replaces the value by what a change returned. */
  readonly setValue: (value: Value) => void
}

interface State<Value> {
  readonly value?: Value
  readonly failure?: ApiFailure
}

/** Loads what a part of the page shows, with the typed client. It is loaded again when `key` changes. */
export const useLoaded = <Value>(
  load: (options: { readonly signal: AbortSignal }) => Promise<Value>,
  key = '',
): Loaded<Value> => {
  const [{ value, failure }, setState] = useState<State<Value>>({})
  const latest = useRef(load)
  latest.current = load
  const running = useRef<AbortController | undefined>(undefined)
  const reload = useCallback(async () => {
    running.current?.abort()
    running.current = new AbortController()
    const { signal } = running.current
    const problem = await runConfirmed(async () => {
      try {
        const loaded = await latest.current({ signal })
        if (!signal.aborted) setState({ value: loaded })
      } catch (error) {
        if (!signal.aborted) throw error
      }
      return undefined
    })
    if (problem && !signal.aborted) setState((before) => ({ ...before, failure: problem }))
  }, [])
  // The key stands for everything that `load` reads.
  useEffect(() => {
    void reload()
    return () => running.current?.abort()
  }, [key])
  useReconnection(failure, () => void reload())
  return { value, failure, reload, setValue: (changed) => setState({ value: changed }) }
}

/** Loads again what a lost connection kept away, once there is one. Some parts of a page have no button for that. */
export const useReconnection = (failure: ApiFailure | undefined, reload: () => void): void => {
  const isLost = failure?.status === 0
  // With the first look of the page at it. The connection may be back right after.
  useLayoutEffect(() => {
    if (!isLost) return
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [isLost])
}

/** Runs work like `useAction`. The person first confirms their identity if the service asks for it. */
export const useConfirmedAction = <Args extends readonly unknown[]>(
  work: (...args: Args) => Promise<ApiFailure | undefined>,
): Action<Args> => useAction((...args: Args) => runConfirmed(() => work(...args)))

/** Work that returns a failure, or throws one of the typed client. */
type Work = () => Promise<ApiFailure | undefined>

/**
 * Runs work. If the service asks for a recent proof of identity, the person gives it and the work runs again. It returns no
 * failure if they cancel. If the session has ended, a dialog leads to the sign-in page.
 */
const runConfirmed = async (work: Work): Promise<ApiFailure | undefined> => {
  const failure = await run(work)
  if (failure?.problem.reason !== 'reauthentication_required') return failure
  return (await askForIdentity()) ? run(work) : undefined
}

const run = async (work: Work): Promise<ApiFailure | undefined> => {
  const failure = await work().catch(toFailure)
  if (failure?.problem.code === 'not_authenticated') reportSignedOut()
  return failure
}
