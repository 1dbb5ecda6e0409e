import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ApiFailure } from '../../kit/call-api.ts'
import { toFailure } from '../../kit/to-failure.ts'

export interface Loaded<Value> {
  /** Undefined until it is loaded. */
  readonly value: Value | undefined
  readonly failure: ApiFailure | undefined
  readonly reload: () => void
  /** Replaces the value by what a change returned. */
  readonly setValue: (value: Value) => void
}

interface State<Value> {
  readonly value?: Value
  readonly failure?: ApiFailure
}

/** Loads a value from the API, and again when `key` changes. */
export const useLoaded = <Value>(
  load: (options: { readonly signal: AbortSignal }) => Promise<Value>,
  key = '',
): Loaded<Value> => {
  const [{ value, failure }, setState] = useState<State<Value>>({})
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  latest.current = load
  // The key stands for everything that `load` reads.
  useEffect(() => loadOnce(latest.current, setState), [key, round])
  const reload = useCallback(() => setRound((count) => count + 1), [])
  return { value, failure, reload, setValue: (changed) => setState({ value: changed }) }
}

/** Starts loading and returns what stops it. */
const loadOnce = <Value>(
  load: (options: { readonly signal: AbortSignal }) => Promise<Value>,
  setState: (change: (before: State<Value>) => State<Value>) => void,
): (() => void) => {
  const abort = new AbortController()
  load({ signal: abort.signal }).then(
    (value) => {
      if (!abort.signal.aborted) setState(() => ({ value }))
    },
    (error: unknown) => {
      if (!abort.signal.aborted) setState((before) => ({ ...before, failure: toFailure(error) }))
    },
  )
  return () => abort.abort()
}
