import * as z from 'zod/mini'
import { anyText, nonEmptyText } from './fields.ts'

// Messages that an identity provider sends through the browser. Some providers add parameters, which are ignored.

/** SAML Bindings 3.5: the fields of the form that carries a response. */
export const SAMLAssertionForm = z.object({
  SAMLResponse: nonEmptyText,
  RelayState: z.optional(anyText),
})
export type SAMLAssertionForm = z.output<typeof SAMLAssertionForm>

/** SAML Bindings 3.4: the parameters of a redirect that carries a logout request or response. */
export const SAMLLogoutQuery = z.object({
  SAMLRequest: z.optional(anyText),
  SAMLResponse: z.optional(anyText),
  RelayState: z.optional(anyText),
  SigAlg: z.optional(anyText),
  Signature: z.optional(anyText),
})
export type SAMLLogoutQuery = z.output<typeof SAMLLogoutQuery>
