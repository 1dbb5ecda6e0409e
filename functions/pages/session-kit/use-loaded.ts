import { useEffect, useState } from 'preact/hooks'
import type { ApiFailure } from '../kit/call-api.ts'
import { runConfirmed } from './run-confirmed.ts'

export interface Loaded<Content> {
  /** What was loaded last. It stays while it is loaded again. */
  readonly content: Content | undefined
  /** Why it could not be loaded. */
  readonly failure: ApiFailure | undefined
  readonly reload: () => Promise<void>
  /** Replaces the content by what another call returned. */
  readonly setContent: (content: Content) => void
}

/** Loads what a part of the page shows, with the typed client. It is loaded again when `key` changes. */
export const useLoaded = <Content>(load: () => Promise<Content>, key = ''): Loaded<Content> => {
  const [content, setContent] = useState<Content | undefined>()
  const [failure, setFailure] = useState<ApiFailure | undefined>()
  let isCurrent = true
  const reload = async (): Promise<void> => {
    const problem = await runConfirmed(async () => {
      const next = await load()
      if (isCurrent) setContent(() => next)
      return undefined
    })
    if (isCurrent) setFailure(problem)
  }
  useEffect(() => {
    void reload()
    return () => {
      isCurrent = false
    }
  }, [key])
  return { content, failure, reload, setContent: (next) => setContent(() => next) }
}
