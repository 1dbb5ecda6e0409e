import { useRef, useState } from 'preact/hooks'
import type { ApiFailure } from './call-api.ts'
import { toFailure } from './call-api.ts'

export interface Action<Args extends readonly unknown[]> {
  /** Starts the work, unless it runs already. */
  readonly run: (...args: Args) => Promise<void>
  readonly isRunning: boolean
  /** Why the last run failed. Undefined while it runs and after a success. */
  readonly failure: ApiFailure | undefined
  readonly clearFailure: () => void
}

/** Runs work that a person starts, one at a time. The work returns a failure, or throws one of the typed client. */
export const useAction = <Args extends readonly unknown[]>(
  work: (...args: Args) => Promise<ApiFailure | undefined>,
): Action<Args> => {
  const [isRunning, setRunning] = useState(false)
  const [failure, setFailure] = useState<ApiFailure | undefined>()
  const isBusy = useRef(false)
  const run = async (...args: Args): Promise<void> => {
    if (isBusy.current) return
    isBusy.current = true
    setRunning(true)
    setFailure(undefined)
    try {
      setFailure(await work(...args))
    } catch (error) {
      setFailure(toFailure(error))
    } finally {
      isBusy.current = false
      setRunning(false)
    }
  }
  return { run, isRunning, failure, clearFailure: () => setFailure(undefined) }
}
