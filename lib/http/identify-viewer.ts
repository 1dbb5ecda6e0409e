import type { Services } from '../services.ts'
import type { Middleware } from './http-types.ts'

/** Finds the address of the viewer. Without front door and trusted proxies, the address of the connection counts. */
export const identifyViewer = ({ config: { trustedProxies } }: Services): Middleware => ({
  before: async ({ event, context: { requestState } }) => {
    const { isFromFrontDoor } = requestState
    if (!trustedProxies && !isFromFrontDoor) return
    // Loaded on demand, because most services have neither.
    const { findViewerAddress, findViewerCountry } = await import('./viewer-address.ts')
    requestState.viewerAddress = findViewerAddress(event, { trustedProxies, isFromFrontDoor })
    const country = isFromFrontDoor ? findViewerCountry(event) : undefined
    if (country) requestState.viewerCountry = country
  },
})
