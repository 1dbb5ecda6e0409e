/** Collects the log lines of the service and removes them from the output of the test run. It keeps none if `isKept` is false. */
export const captureLog = (
  isKept = true,
): { readonly lines: readonly string[]; readonly stop: () => void } => {
  const lines: string[] = []
  const original = process.stdout.write
  process.stdout.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
    if (typeof chunk === 'string' && chunk.startsWith('{"time":')) {
      if (isKept) lines.push(chunk)
      return true
    }
    return original.call(process.stdout, chunk, ...rest)
  }) as typeof process.stdout.write
  return {
    lines,
    stop: () => {
      process.stdout.write = original
    },
  }
}
