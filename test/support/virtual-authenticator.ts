import type { CDPSession, Page } from 'playwright-core'

/** An authenticator that Chromium simulates, with a user who is always present. */
export interface VirtualAuthenticator {
  readonly countCredentials: () => Promise<number>
  /** Whether the user reacts to requests at once. Without that, requests wait. */
  readonly setAutomatic: (isAutomatic: boolean) => Promise<void>
}

/** Gives a page an authenticator that stores passkeys (WebDriver extension of WebAuthn Level 3, section 11). */
export const addVirtualAuthenticator = async (
  page: Page,
  transport: 'internal' | 'usb' = 'internal',
): Promise<VirtualAuthenticator> => {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    countCredentials: async () =>
      (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    setAutomatic: async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
  }
}
