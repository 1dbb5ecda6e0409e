/** The session of a client. It exists in memory alone: nothing is stored. */
export interface Session {
  readonly key: string | undefined
  readonly start: (key: string) => void
  /** Removes the session without a notice. */
  readonly drop: () => void
  /** Removes the session that the service rejected, unless another one has replaced it in the meantime. */
  readonly end: (rejected: string | undefined) => void
}

export const createSession = (onEnd: (() => void) | undefined): Session => {
  let key: string | undefined
  return {
    get key() {
      return key
    },
    start: (started) => {
      key = started
    },
    drop: () => {
      key = undefined
    },
    end: (rejected) => {
      if (key === undefined || rejected !== key) return
      key = undefined
      onEnd?.()
    },
  }
}
