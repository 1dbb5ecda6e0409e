import type { Services } from '../services.ts'
import type { Middleware } from './http-types.ts'

/** Finds the address of the viewer behind trusted proxies. Without them, the address of the connection counts. */
export const identifyViewer = ({ config: { trustedProxies } }: Services): Middleware => ({
  before: async ({ event, context }) => {
    if (!trustedProxies) return
    // Loaded on demand, because most services have no proxies.
    const { findViewerAddress } = await import('./viewer-address.ts')
    context.requestState.viewerAddress = findViewerAddress(event, trustedProxies)
  },
})
