import * as z from 'zod/mini'

/** The part of the client data that is read here. The library checks type and origin (WebAuthn Level 3, section 5.8.1). */
const ClientData = z.object({
  challenge: z.string(),
  crossOrigin: z.optional(z.boolean()),
  topOrigin: z.optional(z.string()),
})
type ClientData = z.output<typeof ClientData>

/** Reads the client data of a credential, which the browser wrote. Returns undefined if it is not of this form. */
export const readClientData = (clientDataJson: string): ClientData | undefined => {
  try {
    return z.safeParse(ClientData, JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'))).data
  } catch {
    return undefined
  }
}

/** Whether a page in a frame of another site used the passkey. The user may not have seen which site asks. */
export const isCrossOrigin = ({ crossOrigin, topOrigin }: ClientData): boolean =>
  crossOrigin === true || topOrigin !== undefined
