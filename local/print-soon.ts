/** How long lines wait for further ones. */
const pauseMs = 20

/**
 * Creates a function that prints lines together, because each write to a terminal or pipe interrupts the service. Lines
 * that wait when the process exits are printed first.
 */
export const createPrintSoon = (print: (text: string) => void): ((line: string) => void) => {
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = waiting
    waiting = ''
    if (text !== '') print(text)
  }
  process.once('exit', flush)
  return (line) => {
    waiting += line
    timer ??= setTimeout(flush, pauseMs)
  }
}
