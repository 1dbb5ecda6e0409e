/* What is wrong with the disk of the embedded engine of local mode. AWS looks after the disks of DynamoDB. */

const failures = [
  {
    pattern: /disk is full|no space left/i,
    sentence: 'The disk with the data is full. Free space on it. The service needs no restart.',
    endsWithWrite: true,
  },
  {
    pattern: /disk image is malformed|is not a database|file is encrypted/i,
    sentence: 'The database file is damaged. Stop the service and restore a copy of the data folder.',
    endsWithWrite: false,
  },
] as const

let current: (typeof failures)[number] | undefined
let report: ((sentence: string) => void) | undefined

/** The failure as one sentence, without paths. Undefined while the engine works. */
export const getEngineFailure = (): string | undefined => current?.sentence

/** Returns the sentence for a message of the engine, if it is about its disk. */
export const explainEngineError = (message: string): string | undefined => findFailure(message)?.sentence

const findFailure = (message: string) => failures.find(({ pattern }) => pattern.test(message))

/** Calls `watch` each time a failure begins. */
export const watchEngineFailures = (watch: (sentence: string) => void): void => {
  report = watch
}

/** Notes the outcome of a call: the message of its error, or that a write succeeded. */
export const noteEngineOutcome = (outcome: { readonly error: string } | 'written'): void => {
  if (outcome === 'written') {
    if (current?.endsWithWrite) current = undefined
    return
  }
  const failure = findFailure(outcome.error)
  if (failure === undefined || failure === current) return
  current = failure
  report?.(failure.sentence)
}
