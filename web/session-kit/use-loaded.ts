import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ApiFailure } from '../kit/call-api.ts'
import { runConfirmed } from './run-confirmed.ts'

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
  return { value, failure, reload, setValue: (changed) => setState({ value: changed }) }
}
