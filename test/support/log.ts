/** Takes the service's log lines out of the test run's output, and keeps them for looking at. */
export const captureLog = (): { readonly lines: readonly string[]; readonly stop: () => void } => {
  const lines: string[] = []
  const original = process.stdout.write
  process.stdout.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
    if (typeof chunk === 'string' && chunk.startsWith('{"time":')) {
      lines.push(chunk)
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
