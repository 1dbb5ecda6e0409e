/** Longer than a page takes to open. A person may also stop the browser on the way. */
const leavingMs = 10_000

/**
 * Leads the tab to an address, in place of this page in its history with `replaces`. What waits for it stays busy: until another page
 * is open, a person could send a form again. It resolves if the browser shows this page again, or still.
 */
export const leavePage = (address: string, { replaces = false } = {}): Promise<void> =>
  new Promise((resolve) => {
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) resolve()
    })
    setTimeout(resolve, leavingMs)
    if (replaces) location.replace(address)
    else location.assign(address)
  })
