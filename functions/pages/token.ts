/**
 * The part of a page's script that takes the token out of the link it was opened by: out of the address bar, since
 * somebody may look over a shoulder. The entry of the tab's history keeps it, so that the page can be loaded again and
 * come back to; another link pasted into the same tab changes the fragment alone, and starts the page over.
 */
export const tokens = `
let kept
const keepInstead = (state) => {
  history.replaceState(state, '', location.pathname)
  kept = JSON.stringify(state)
}
const withToken = async (start) => {
  const look = async () => {
    const pasted = new URLSearchParams(location.hash.slice(1)).get('token')
    const state = pasted === null ? history.state || {} : { token: pasted }
    // A fragment is told of by two events: the second finds nothing new.
    if (pasted === null && JSON.stringify(state) === kept) return
    if (pasted === null) kept = JSON.stringify(state)
    else keepInstead(state)
    await start(state.token || '', state)
  }
  addEventListener('hashchange', look)
  addEventListener('popstate', look)
  await look()
}
`
